#include "platform/cli/cli_what_if.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <unistd.h>

#include <fmt/format.h>

#include "common/files/output_paths.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "communication/graph/find_graph.h"
#include "communication/graph/graph_file.h"
#include "communication/predict/what_if.h"
#include "communication/predict/widen.h"
#include "platform/cli/json_output.h"
#include "platform/report/what_if_report.h"

namespace numavp {

namespace {

constexpr std::uint64_t kMostLanes = 1'000'000'000; // more than any machine has

/// Those of `--change`, and of the machines in `--machines`.
std::vector<std::string> changes_of(const WhatIfWords& words) {
    std::vector<std::string> changes = words.changes;
    for (std::size_t at = 0; !words.machines.empty() && at <= words.machines.size();) {
        const std::size_t end = std::min(words.machines.find(',', at), words.machines.size());
        if (end == at) throw ConfigError("--machines", "a name is empty; names between commas are expected");
        changes.push_back("machine=" + words.machines.substr(at, end - at));
        at = end + 1;
    }
    if (words.widen && words.lanes.empty())
        throw ConfigError("command line", "--widen has no budget; --lanes N is expected beside it");
    if (changes.empty() && !words.widen)
        throw ConfigError("command line", "nothing is changed; --change, --machines or --widen is required");
    return changes;
}

std::string placed_text(const std::vector<WhatIfRow>& rows) {
    std::string text;
    for (const WhatIfRow& row : rows) {
        if (row.placed.empty()) continue;
        text += "\n  " + escaped(row.change) + ": ";
        for (std::size_t i = 0; i < row.placed.size(); ++i) text += (i == 0 ? "" : ", ") + escaped(row.placed[i]);
        text += "\n";
    }
    return text;
}

/// The best row within the budget, and those that are beyond it.
std::string budget_text(const WhatIfAnswer& answer) {
    if (!answer.budget) return "";
    const WhatIfRow* best = nullptr;
    std::string refused;
    for (const WhatIfRow& row : answer.rows) {
        if (answer.within(row)) {
            if (best == nullptr) best = &row;
        } else {
            refused += fmt::format("\n  refused: {} has {} lanes", escaped(row_name(row)), row.lanes);
        }
    }
    const std::string which = best ? fmt::format("the best within {} lanes: {}, {:.1f} us, {} lanes", *answer.budget,
                                                 escaped(row_name(*best)), best->simulated_ns / 1000, best->lanes)
                                   : fmt::format("nothing is within {} lanes", *answer.budget);
    return "\n  " + which + refused + "\n";
}

/// Rounded, and never -0.
double tenths(double value) { return std::round(10 * value) / 10 + 0.0; }

std::string what_if_text(const WhatIfAnswer& answer) {
    TextTable table({"change", "simulated us", "closed form us", "differ", "time", "lanes", "most loaded"},
                    {true, false, false, false, false, false, true});
    for (const WhatIfRow& row : answer.rows)
        table.row({escaped(row_name(row)), fmt::format("{:.1f}", row.simulated_ns / 1000),
                   fmt::format("{:.1f}", row.closed_form_ns / 1000),
                   fmt::format("{:+.1f} %", tenths(100 * (row.closed_form_ns / row.simulated_ns - 1))),
                   fmt::format("{:.3f}", row.simulated_ns / answer.before_ns),
                   fmt::format("{}{}", row.lanes, answer.within(row) ? "" : " (over)"), row.loaded});
    return fmt::format(
               "{}: time is a share of what it takes as it is; lanes: of all links, one direction; most loaded: "
               "a link or unit, where that is the bound\n\n",
               escaped(answer.graph)) +
           table.text(style_of(STDOUT_FILENO)) + placed_text(answer.rows) + budget_text(answer);
}

} // namespace

void add_what_if(CLI::App& app, WhatIfWords& words) {
    CLI::App* command = app.add_subcommand(
        "what-if", "Time of an application after changes of a machine or of the application's graph");
    command->add_option("GRAPH", words.graph, "Name of an application graph (numavp list graphs), or JSON file")
        ->type_name("")
        ->required();
    add_machine(*command, words);
    command
        ->add_option("--change", words.changes,
                     "machine=s822lc, link.KIND*2, link.KIND=OTHER, copies=pinned, faults=prefetch, place.KERNEL=gpu2, "
                     "place=auto and others; several joined by commas are made together")
        ->type_name("CHANGE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--lanes", words.lanes, "A budget of link lanes: rows whose machine has more are refused")
        ->type_name("N")
        ->take_last();
    command->add_option("--machines", words.machines, "Names of machines, as machine=NAME of --change for each")
        ->type_name("LIST")
        ->take_last();
    command->add_flag("--widen", words.widen, "Kinds of links two or four times as wide, what --lanes allows")
        ->disable_flag_override();
    command->add_option("--report", words.report, "Write a report, one HTML file: times, critical paths, use of links")
        ->type_name("FILE")
        ->take_last();
    command->add_flag("--json", words.json, "Print the table as one line of JSON")->disable_flag_override();
}

std::string what_if_command(const WhatIfWords& words) {
    const std::string file = find_graph(words.graph);
    refuse_outputs({{"--report", words.report}}, {file, words.machine, words.calibration});
    const AppGraph graph = load_graph(file);
    const WhatIfMachine machine{words.machine, words.calibration, words.set};
    const std::vector<std::string> changes = changes_of(words);
    std::set<std::string> seen;
    for (const std::string& change : changes)
        if (!seen.insert(change).second)
            throw ConfigError("--change " + quotable(change), "it is there twice; once is allowed");
    WhatIfAnswer answer;
    answer.graph = graph.name;
    answer.description = graph.description;
    if (!words.lanes.empty())
        answer.budget = number_of<std::uint64_t>("--lanes", words.lanes, std::uint64_t{1}, kMostLanes,
                                                 "a number of lanes from 1 to 1000000000");
    const ReportFiles report_files = words.report.empty() ? ReportFiles() : find_report_files();
    std::vector<WhatIfRow>& rows = answer.rows;
    rows.push_back(what_if(graph, file, machine, ""));
    answer.before_ns = rows[0].simulated_ns;
    for (const std::string& change : changes) rows.push_back(what_if(graph, file, machine, change));
    if (words.widen)
        for (WhatIfRow& row : widened(graph, file, machine, rows[0], *answer.budget))
            if (seen.insert(row.change).second) rows.push_back(std::move(row));
    std::set<std::string> assumed;
    for (const WhatIfRow& row : rows)
        for (const std::string& sentence : row.assumed)
            if (assumed.insert(sentence).second) fmt::print(stderr, "numavp: {}\n", escaped(sentence));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const WhatIfRow& a, const WhatIfRow& b) { return a.simulated_ns < b.simulated_ns; });
    if (!words.report.empty()) write_report_file(words.report, report_html(what_if_report(answer), report_files));
    if (words.json) return json_line("what-if", what_if_json(answer));
    return what_if_text(answer) + (words.report.empty() ? "" : "\nreport in " + words.report + "\n");
}

} // namespace numavp
