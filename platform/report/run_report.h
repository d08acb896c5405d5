/// The report of a run: charts, drawing and tables of what results.json and timeline.json hold.
#pragma once

#include <string>

#include "base/config/config_file.h"
#include "platform/report/report_page.h"

namespace numavp {

/// `timeline` is that of timeline_json(), `run` the content of run.json. ConfigError if `results` are not those of a
/// run in this version's format.
ReportPage run_report(const ordered_json& results, const ordered_json& timeline, const ordered_json& run);

/// Makes the report of a folder that `numavp run` wrote.
ReportPage run_report(const std::string& folder);

} // namespace numavp
