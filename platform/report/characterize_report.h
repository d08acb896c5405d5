/// A machine's microbenchmarks as a page: curves by size, measurements beside them, errors.
#pragma once

#include "platform/characterize/findings.h"
#include "platform/characterize/measured_comparison.h"
#include "platform/report/report_page.h"

namespace numavp {

/// Each series that was compared, its points and errors.
ordered_json comparison_json(const HostMachine& machine, const MeasuredComparison& comparison);

/// `series` are drawn where nothing was measured.
ReportPage characterize_report(const HostMachine& machine, const std::vector<const BenchmarkSeries*>& series,
                               const std::vector<Finding>& findings, const MeasuredComparison& comparison);

} // namespace numavp
