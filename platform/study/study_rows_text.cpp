// Rows of a study as JSON and as CSV.
#include <fmt/format.h>

#include "common/words/text.h"
#include "platform/study/study_rows.h"

namespace numavp {
namespace {

ordered_json row_value(const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(); }
std::string row_cell(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

} // namespace

ordered_json rows_json(const std::vector<StudyRow>& rows) {
    ordered_json all = ordered_json::array();
    for (const StudyRow& row : rows)
        all.push_back({{"figure", row.figure},
                       {"name", row.name},
                       {"section", row.section},
                       {"metric", row.metric},
                       {"configuration", row.configuration},
                       {"over", row.over},
                       {"mean", row.mean},
                       {"workload", row.workload},
                       {"workloads", row.workloads},
                       {"unit", row.unit},
                       {"scale", row.scale},
                       {"kind", row.kind},
                       {"paper", row_value(row.paper)},
                       {"above", row_value(row.above)},
                       {"below", row_value(row.below)},
                       {"measured", row_value(row.measured)},
                       {"difference", row_value(row.difference)},
                       {"verdict", row.verdict},
                       {"reason", row.reason},
                       {"says", row.says},
                       {"seeds", row.seeds},
                       {"least", row_value(row.least)},
                       {"most", row_value(row.most)}});
    return all;
}

std::string rows_csv(const std::vector<StudyRow>& rows) {
    std::string text =
        "figure,name,section,metric,configuration,over,mean,workload,workloads,unit,scale,kind,paper,above,"
        "below,measured,difference,verdict,reason,says,seeds,least,most\n";
    for (const StudyRow& row : rows)
        text += csv_line({row.figure,
                          row.name,
                          row.section,
                          row.metric,
                          row.configuration,
                          row.over,
                          row.mean,
                          row.workload,
                          std::to_string(row.workloads),
                          row.unit,
                          fmt::format("{:g}", row.scale),
                          row.kind,
                          row_cell(row.paper),
                          row_cell(row.above),
                          row_cell(row.below),
                          row_cell(row.measured),
                          row_cell(row.difference),
                          row.verdict,
                          row.reason,
                          row.says,
                          std::to_string(row.seeds),
                          row_cell(row.least),
                          row_cell(row.most)});
    return text;
}

} // namespace numavp
