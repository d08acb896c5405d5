#include "platform/report/correlate_report.h"

namespace numavp {

ReportPage correlate_report(const Correlation& correlation) {
    ReportPage page;
    page.title = correlation.system + " correlated with measurements";
    page.scripts = {"base.js", "figure.js", "table.js", "correlate.js"};
    page.data = correlation_json(correlation);
    page.data["kind"] = "correlate";
    return page;
}

} // namespace numavp
