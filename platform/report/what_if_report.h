/// The answer of what-if as JSON and as a page: times, critical paths, use of links.
#pragma once

#include "communication/predict/what_if.h"
#include "platform/report/report_page.h"

namespace numavp {

/// JSON of an answer; times in nanoseconds.
ordered_json what_if_json(const WhatIfAnswer& answer);
ReportPage what_if_report(const WhatIfAnswer& answer);

} // namespace numavp
