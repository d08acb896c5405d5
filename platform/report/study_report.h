/// The report of a study: for each figure our numbers beside the paper's, and one table of all the paper's numbers.
#pragma once

#include <string>

#include "platform/report/report_page.h"
#include "platform/study/study_rows.h"

namespace numavp {

/// `rows` as rows_json() gives them; of a row only figure, section, metric, mean, workload and measured must be there.
/// `figures` is an object of {title, section, description, points, done, left_out, undecided, waiting} by figure, or
/// empty. `profiles` has, by figure, runs of which the links' use over time is shown: {name, configuration, series}.
/// ConfigError with the row that is not of this kind.
ReportPage study_report(const std::string& name, const ordered_json& rows,
                        const ordered_json& figures = ordered_json::object(),
                        const ordered_json& profiles = ordered_json::object());

/// Writes one self-contained HTML file to `path`, from the rows and results of what `plan` shows. ConfigError if it
/// can't be written.
void write_study_report(const Study& study, const StudyPlan& plan, const StudyStore& store, const std::string& path);

} // namespace numavp
