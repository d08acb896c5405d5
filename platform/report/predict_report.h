/// A prediction as JSON and as a page: timeline, critical path, use of links.
#pragma once

#include "communication/predict/prediction.h"
#include "platform/report/report_page.h"

namespace numavp {

/// JSON of a whole prediction; times in nanoseconds.
ordered_json prediction_json(const JoinedGraph& joined, const Simulated& run, const ClosedForm& form);
ReportPage predict_report(const JoinedGraph& joined, const Simulated& run, const ClosedForm& form);

} // namespace numavp
