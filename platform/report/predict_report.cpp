#include "platform/report/predict_report.h"

namespace numavp {

namespace {
ordered_json names_of(const AppGraph& graph, const std::vector<unsigned>& steps) {
    ordered_json names = ordered_json::array();
    for (const unsigned step : steps) names.push_back(graph.steps[step].name);
    return names;
}
ordered_json units_of(const JoinedGraph& joined, unsigned step) {
    ordered_json names = ordered_json::array();
    for (const unsigned unit : joined.steps[step].units) names.push_back(joined.units[unit].name);
    return names;
}
} // namespace

ordered_json prediction_json(const JoinedGraph& joined, const Simulated& run, const ClosedForm& form) {
    const AppGraph& graph = joined.graph;
    ordered_json value{{"graph", graph.name},
                       {"system", joined.machine->title()},
                       {"calibrated", joined.machine->calibrated()},
                       {"assumed", joined.machine->assumed()},
                       {"simulated_ns", run.ns},
                       {"closed_form_ns", form.ns},
                       {"path_ns", form.path_ns},
                       {"load_ns", form.load_ns},
                       {"turn_ns", form.turn_ns},
                       {"loaded", form.loaded},
                       {"critical_path", names_of(graph, run.critical)},
                       {"longest_path", names_of(graph, form.path)},
                       {"steps", ordered_json::array()},
                       {"links", ordered_json::array()}};
    for (const unsigned s : by_start(run)) {
        const StepTimes& times = run.steps[s];
        value["steps"].push_back({{"name", graph.steps[s].name},
                                  {"kind", kAppStepKinds.name(graph.steps[s].kind)},
                                  {"where", where_of(joined, s)},
                                  {"units", units_of(joined, s)},
                                  {"start_ns", times.start_ns},
                                  {"end_ns", times.end_ns},
                                  {"alone_ns", joined.steps[s].alone_ns},
                                  {"time", time_source_word(joined, s)},
                                  {"after", times.after == AppGraph::kNone ? "" : graph.steps[times.after].name},
                                  {"reason", reason_of(joined, s, times.after)}});
    }
    const std::vector<double> bytes = joined.link_bytes();
    for (unsigned l = 0; l < bytes.size(); ++l)
        if (bytes[l] > 0)
            value["links"].push_back({{"link", link_name(*joined.machine, l)},
                                      {"bytes", bytes[l]},
                                      {"busy_ns", joined.link_ns(l, bytes[l])},
                                      {"use", joined.link_ns(l, bytes[l]) / run.ns}});
    return value;
}

ReportPage predict_report(const JoinedGraph& joined, const Simulated& run, const ClosedForm& form) {
    ReportPage page;
    page.title = joined.graph.name + " on " + joined.machine->title();
    page.scripts = {"base.js", "figure.js", "table.js", "predict.js"};
    page.data = prediction_json(joined, run, form);
    page.data["kind"] = "predict";
    page.data["description"] = joined.graph.description;
    return page;
}

} // namespace numavp
