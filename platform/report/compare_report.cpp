#include "platform/report/compare_report.h"

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/system/recorded_system.h"
#include "platform/compare/comparison_text.h"
#include "platform/explain/explain.h"
#include "platform/summary/summary.h"

namespace numavp {
namespace {

/// Data of a run that the page draws; its statistics are in the comparison.
ordered_json drawn(const ComparedRun& run, std::size_t number) {
    const ordered_json& results = run.results;
    const auto config =
        recorded_config(json(results.at("configuration")), Place{"results.json", "$.configuration", nullptr});
    ordered_json series = results.at("series");
    series["columns"] = ordered_json::object();
    for (const auto& [name, column] : results.at("series").at("columns").items())
        if (name.find(".sm.warp_instructions") != std::string::npos || name.find(".link.") != std::string::npos)
            series["columns"][name] = column;
    return {{"name", run.name},
            {"letter", run_letter(number)},
            {"configuration", results.at("configuration")},
            {"workload", results.at("workload")},
            {"time_ns", results.at("time_ns")},
            {"paths", explain_json(config).at("paths")},
            {"summary", summary_json(summarise(config, results))},
            {"series", std::move(series)}};
}

} // namespace

ReportPage compare_report(const std::vector<ComparedRun>& runs, const Comparison& comparison) {
    ReportPage page;
    std::string names;
    for (std::size_t r = 0; r < runs.size(); ++r)
        names += (r == 0 ? "" : r + 1 < runs.size() ? ", " : " and ") + runs[r].name;
    page.title = names + " compared";
    page.scripts = {"base.js",  "figure.js",   "time_figure.js", "link_figure.js",       "bar_figure.js",
                    "table.js", "topology.js", "slot_causes.js", "compare_waterfall.js", "compare.js"};
    page.data["kind"] = "compare";
    page.data["comparison"] = comparison_json(comparison);
    page.data["runs"] = ordered_json::array();
    for (std::size_t r = 0; r < runs.size(); ++r) page.data["runs"].push_back(drawn(runs[r], r));
    return page;
}

} // namespace numavp
