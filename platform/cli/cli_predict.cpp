#include "platform/cli/cli_predict.h"

#include <cmath>
#include <unistd.h>

#include <fmt/format.h>

#include "common/files/output_paths.h"
#include "common/words/text.h"
#include "communication/graph/find_graph.h"
#include "communication/graph/graph_file.h"
#include "communication/predict/prediction.h"
#include "communication/predict/simulated_times.h"
#include "platform/cli/json_output.h"
#include "platform/report/predict_report.h"

namespace numavp {

namespace {

std::string us_text(double ns) { return fmt::format("{:.1f}", ns / 1000); }

std::string timeline_text(const JoinedGraph& joined, const Simulated& run, const Style& style) {
    TextTable table(
        {"step", "where", "start us", "end us", "alone us", "time", "began after", "because of", "critical"},
        {true, true, false, false, false, true, true, true, true});
    std::vector<bool> critical(joined.steps.size(), false);
    for (const unsigned step : run.critical) critical[step] = true;
    for (const unsigned s : by_start(run)) {
        const StepTimes& times = run.steps[s];
        const bool first = times.after == AppGraph::kNone;
        table.row({escaped(joined.graph.steps[s].name), where_of(joined, s), us_text(times.start_ns),
                   us_text(times.end_ns), us_text(joined.steps[s].alone_ns), std::string(time_source_word(joined, s)),
                   first ? "" : escaped(joined.graph.steps[times.after].name),
                   escaped(reason_of(joined, s, times.after)), critical[s] ? "*" : ""});
    }
    return table.text(style);
}

std::string links_text(const JoinedGraph& joined, double ns, const Style& style) {
    TextTable table({"link", "bytes", "busy us", "use"}, {true});
    const std::vector<double> bytes = joined.link_bytes();
    for (unsigned l = 0; l < bytes.size(); ++l) {
        if (bytes[l] <= 0) continue;
        const double busy = joined.link_ns(l, bytes[l]);
        table.row({link_name(*joined.machine, l), bytes_text(static_cast<std::uint64_t>(bytes[l])), us_text(busy),
                   fmt::format("{:.1f} %", 100 * busy / ns)});
    }
    return table.empty() ? "" : "\n" + table.text(style);
}

std::string predict_text(const JoinedGraph& joined, const Simulated& run, const ClosedForm& form) {
    const Style style = style_of(STDOUT_FILENO);
    const HostMachine& machine = *joined.machine;
    std::string path;
    for (const unsigned step : run.critical) path += (path.empty() ? "" : ", ") + joined.graph.steps[step].name;
    return fmt::format("{} on {}: {} us simulated, {} us by the closed form ({:+.1f} %)\n"
                       "  longest path {} us; most loaded: {}, {} us; each unit in turn {} us\n\n",
                       escaped(joined.graph.name), escaped(machine.title()), us_text(run.ns), us_text(form.ns),
                       std::round(1000 * (form.ns / run.ns - 1)) / 10 + 0.0, us_text(form.path_ns),
                       form.loaded.empty() ? "nothing" : form.loaded, us_text(form.load_ns), us_text(form.turn_ns)) +
           timeline_text(joined, run, style) + "\n  critical path: " + escaped(path) + "\n" +
           links_text(joined, run.ns, style);
}

} // namespace

void add_predict(CLI::App& app, PredictWords& words) {
    CLI::App* command = app.add_subcommand("predict", "Time of an application, given as a graph, on a machine");
    command->add_option("GRAPH", words.graph, "Name of an application graph (vector-add, stencil-4), or JSON file")
        ->type_name("")
        ->required();
    add_machine(*command, words);
    command->add_option("--report", words.report, "Write a report, one HTML file: timeline, use of links")
        ->type_name("FILE")
        ->take_last();
    command
        ->add_option(
            "--times", words.times,
            "Results of a run, whose kernels' times take the place of the graph's; several options, several runs")
        ->type_name("RESULTS")
        ->expected(1)
        ->take_all();
    command->add_flag("--json", words.json, "Print all as one line of JSON")->disable_flag_override();
}

std::string predict_command(const PredictWords& words) {
    const std::string file = find_graph(words.graph);
    refuse_outputs({{"--report", words.report}}, {file, words.machine, words.calibration});
    AppGraph graph = load_graph(file);
    HostMachine machine = load_host_machine(words.machine, words.set, words.calibration);
    for (const std::string& sentence : use_simulated_times(graph, words.times, machine)) machine.add_note(sentence);
    const ReportFiles report_files = words.report.empty() ? ReportFiles() : find_report_files();
    const JoinedGraph joined = join_graph(graph, machine, Place(file));
    const Simulated run = simulate_graph(joined);
    const ClosedForm form = closed_form(joined);
    for (const std::string& sentence : machine.assumed()) fmt::print(stderr, "numavp: {}\n", escaped(sentence));
    if (!words.report.empty())
        write_report_file(words.report, report_html(predict_report(joined, run, form), report_files));
    if (words.json) return json_line("predict", prediction_json(joined, run, form));
    return predict_text(joined, run, form) + (words.report.empty() ? "" : "\nreport in " + words.report + "\n");
}

} // namespace numavp
