#include "platform/report/what_if_report.h"

namespace numavp {

namespace {
ordered_json row_json(const WhatIfAnswer& answer, const WhatIfRow& row) {
    ordered_json made{{"change", row.change},
                      {"system", row.system},
                      {"calibrated", row.calibrated},
                      {"assumed", row.assumed},
                      {"simulated_ns", row.simulated_ns},
                      {"closed_form_ns", row.closed_form_ns},
                      {"time", row.simulated_ns / answer.before_ns},
                      {"lanes", row.lanes},
                      {"within_budget", answer.within(row)},
                      {"loaded", row.loaded},
                      {"placed", row.placed},
                      {"critical_path", ordered_json::array()},
                      {"links", ordered_json::array()}};
    for (const WhatIfStep& step : row.critical)
        made["critical_path"].push_back({{"step", step.name}, {"where", step.where}, {"ns", step.ns}});
    for (const WhatIfLink& link : row.links)
        made["links"].push_back({{"link", link.name},
                                 {"bytes", link.bytes},
                                 {"busy_ns", link.busy_ns},
                                 {"use", link.busy_ns / row.simulated_ns}});
    return made;
}
} // namespace

ordered_json what_if_json(const WhatIfAnswer& answer) {
    ordered_json value{{"graph", answer.graph}};
    if (answer.budget) value["budget_lanes"] = *answer.budget;
    value["changes"] = ordered_json::array();
    for (const WhatIfRow& row : answer.rows) value["changes"].push_back(row_json(answer, row));
    return value;
}

ReportPage what_if_report(const WhatIfAnswer& answer) {
    ReportPage page;
    page.title = "What if: " + answer.graph;
    page.scripts = {"base.js", "figure.js", "bar_figure.js", "table.js", "what_if.js"};
    page.data = what_if_json(answer);
    page.data["kind"] = "what-if";
    page.data["description"] = answer.description;
    for (std::size_t r = 0; r < answer.rows.size(); ++r) page.data["changes"][r]["name"] = row_name(answer.rows[r]);
    return page;
}

} // namespace numavp
