#include "platform/cli/cli_what_if.h"

#include <algorithm>
#include <set>
#include <unistd.h>

#include <fmt/format.h>

#include "models/appgraph/graph_file.h"
#include "platform/cli/cli_text.h"
#include "platform/predict/find_graph.h"
#include "platform/predict/what_if.h"

namespace numavp {

namespace {

std::string what_if_text(const AppGraph& graph, const std::vector<WhatIfRow>& rows, double before_ns) {
    TextTable table({"change", "simulated us", "closed form us", "differ", "time", "most loaded"},
                    {true, false, false, false, false, true});
    std::string placed;
    for (const WhatIfRow& row : rows) {
        const std::string name = row.change.empty() ? "(as it is, on " + row.system + ")" : row.change;
        table.row({escaped(name), fmt::format("{:.1f}", row.simulated_ns / 1000),
                   fmt::format("{:.1f}", row.closed_form_ns / 1000),
                   fmt::format("{:+.1f} %", 100 * (row.closed_form_ns / row.simulated_ns - 1)),
                   fmt::format("{:.3f}", row.simulated_ns / before_ns), row.loaded});
        if (row.placed.empty()) continue;
        placed += "\n  " + escaped(row.change) + ": ";
        for (std::size_t i = 0; i < row.placed.size(); ++i) placed += (i == 0 ? "" : ", ") + escaped(row.placed[i]);
        placed += "\n";
    }
    return fmt::format("{}: time is a share of what it takes as it is; most loaded: a link or unit, where that is the "
                       "bound\n\n",
                       escaped(graph.name)) +
           table.text(style_of(STDOUT_FILENO)) + placed;
}

ordered_json what_if_json(const AppGraph& graph, const std::vector<WhatIfRow>& rows, double before_ns) {
    ordered_json value{{"graph", graph.name}, {"changes", ordered_json::array()}};
    for (const WhatIfRow& row : rows)
        value["changes"].push_back({{"change", row.change},
                                    {"system", row.system},
                                    {"calibrated", row.calibrated},
                                    {"simulated_ns", row.simulated_ns},
                                    {"closed_form_ns", row.closed_form_ns},
                                    {"time", row.simulated_ns / before_ns},
                                    {"loaded", row.loaded},
                                    {"placed", row.placed}});
    return value;
}

} // namespace

void add_what_if(CLI::App& app, WhatIfWords& words) {
    CLI::App* command =
        app.add_subcommand("what-if", "What changes of a machine or an application's graph would do to its time");
    command->add_option("GRAPH", words.graph, "Name of an application graph (numavp list graphs), or JSON file")
        ->type_name("")
        ->required();
    add_machine(*command, words);
    command
        ->add_option("--change", words.changes,
                     "machine=s822lc, link.KIND*2, copies=pinned, place.KERNEL=gpu2 or place=auto; several joined by "
                     "commas are made together")
        ->type_name("CHANGE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->required();
    command->add_flag("--json", words.json, "Print the table as one line of JSON")->disable_flag_override();
}

std::string what_if_command(const WhatIfWords& words) {
    const std::string file = find_graph(words.graph);
    const AppGraph graph = load_graph(file);
    const WhatIfMachine machine{words.machine, words.calibration, words.set};
    std::set<std::string> seen;
    for (const std::string& change : words.changes)
        if (!seen.insert(change).second)
            throw ConfigError("--change " + quotable(change), "it is there twice; once is allowed");
    std::vector<WhatIfRow> rows{what_if(graph, file, machine, "")};
    const double before_ns = rows[0].simulated_ns;
    for (const std::string& change : words.changes) rows.push_back(what_if(graph, file, machine, change));
    std::set<std::string> assumed;
    for (const WhatIfRow& row : rows)
        if (!row.calibrated && assumed.insert(row.system).second)
            fmt::print(stderr, "numavp: {} has no calibration: costs of calls and buffers are assumed\n",
                       escaped(row.system));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const WhatIfRow& a, const WhatIfRow& b) { return a.simulated_ns < b.simulated_ns; });
    return words.json ? what_if_json(graph, rows, before_ns).dump() + "\n" : what_if_text(graph, rows, before_ns);
}

} // namespace numavp
