/// The page of a correlation: a scatter of measured and simulated times, and the table of errors.
#pragma once

#include "platform/correlate/correlation.h"
#include "platform/report/report_page.h"

namespace numavp {

ReportPage correlate_report(const Correlation& correlation);

} // namespace numavp
