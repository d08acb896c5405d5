/// A machine's microbenchmarks as a page: curves by size, measurements beside them, errors.
#pragma once

#include "communication/characterize/findings.h"
#include "communication/characterize/measured_comparison.h"
#include "platform/report/report_page.h"

namespace numavp {

/// JSON of each compared series, with its points and errors.
ordered_json comparison_json(const HostMachine& machine, const MeasuredComparison& comparison);

/// `series` are drawn for cases without measurements.
ReportPage characterize_report(const HostMachine& machine, const std::vector<const BenchmarkSeries*>& series,
                               const std::vector<Finding>& findings, const MeasuredComparison& comparison);

} // namespace numavp
