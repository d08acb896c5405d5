/// The report of a comparison: runs side by side.
#pragma once

#include <vector>

#include "platform/compare/comparison.h"
#include "platform/report/report_page.h"

namespace numavp {

/// `comparison` must be that of `runs`.
ReportPage compare_report(const std::vector<ComparedRun>& runs, const Comparison& comparison);

} // namespace numavp
