#include "platform/cli/cli_examples.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "common/files/program.h"
#include "platform/cli/cli_words.h"

namespace numavp {
namespace {

struct Example {
    std::string_view command, words, meaning; ///< words after "numavp <command>"
};

constexpr std::array<Example, 44> kExamples{{
    {"run", "", "a sparse product on the 4-socket NUMA-aware GPU"},
    {"run", "numa-4 stencil-2d --scale 0.1 --report", "a tenth of the problem, with a page of charts"},
    {"run", "numa-4 stencil-2d --set link.lane_gbps=16 --out fast", "twice the link, into the folder fast"},
    {"run", "numa-4 kernelslist.g --kernels 3..7", "some kernels of a trace"},
    {"run", "numa-aware-4 stencil-2d --change 3:link.balancer=static", "lanes that stay from the third kernel on"},
    {"run", "results/numa-4-stencil-2d", "a run once more: the same bytes"},
    {"run", "numa-4 stencil-2d --live", "a page that shows the run while it goes on"},
    {"attach", "", "the same in a terminal: of the run that is live"},
    {"attach", "--json", "one look as JSON"},
    {"branch", "numa-aware-4 stencil-2d --at 3 --unchanged --change link.balancer=static",
     "one beginning, two ends: which policy is better from kernel 3 on"},
    {"branch", "results/numa-4-stencil-2d --at 3 --change placement.policy=random,placement.seed=2",
     "a recorded run with two settings changed at kernel 3"},
    {"study run", "configs/studies/mechanisms.json --scale small", "all runs of a study"},
    {"study run", "configs/studies/mechanisms.json --live", "the same, with a page that shows its points go on"},
    {"study show", "configs/studies/mechanisms.json", "its figures as tables"},
    {"network", "sfbfly-4g16h", "latency and throughput up to saturation"},
    {"network", "sfbfly-4g16h --traffic tornado --rates 0.1,0.2", "two rates of another traffic"},
    {"memory", "hbm3e-h200 rand_r", "random reads on a timed DRAM"},
    {"memory", "ddr4-2400 requests.txt --set timing.faw=16", "a file of requests, with another timing"},
    {"compare", "results/a results/b", "what differs, and where the time went"},
    {"compare", "results/a results/b --report side-by-side.html", "the same as a page"},
    {"compare", "locality both --study configs/studies/mechanisms.json --workload reduction", "points of a study"},
    {"correlate", "measurements.json h200 --launch empty-1", "measured kernels beside simulated ones"},
    {"correlate", "measurements.json h200 stream --report page.html", "one kernel, with a page"},
    {"import", "topo.txt --out machine.json", "a system from what nvidia-smi topo -m printed"},
    {"characterize", "dgx-1", "times of copies between all GPUs of a machine"},
    {"characterize", "dgx-1 --report copies.html", "the same as a page"},
    {"graph", "app.sqlite --out graph.json", "an application graph from a recording"},
    {"predict", "stencil-4 dgx-1", "the time of an application on a machine"},
    {"what-if", "stencil-4 dgx-1 --change copies=pinned", "what changes with pinned copies"},
    {"list", "systems", "all systems with their descriptions"},
    {"list", "settings", "all settings with unit, range and meaning"},
    {"list", "patterns spmv", "parameters of a pattern"},
    {"explain", "numa-aware-4", "a machine's parts, speeds and drawing"},
    {"explain", "numa-4 --set sockets=8 --json", "a changed machine, with all settings"},
    {"replay-faults", "faults.csv numa-4 --execution native --set translation.mode=full",
     "recorded page faults, given to the driver"},
    {"report", "results/numa-4-stencil-2d", "a page for a run made without one"},
    {"check", "my-system.json", "whether a file is sound, and what it is"},
    {"check", "results/numa-4-stencil-2d", "whether results are whole"},
    {"schema", "system", "JSON Schema for an editor"},
    {"completion", "bash", "a script: source <(numavp completion bash)"},
    {"completion", "fish", "a script: numavp completion fish | source"},
    {"help", "run", "options of a command"},
    {"help", "--man", "the man page: numavp help --man | man -l -"},
    {"version", "", "version and compiler"},
}};

/// True if the example is of the command, or of an action of it ("study run").
bool is_of(const Example& example, std::string_view command) {
    return example.command == command ||
           (example.command.size() > command.size() && example.command.substr(0, command.size()) == command &&
            example.command[command.size()] == ' ');
}

std::string line_of(const Example& example) {
    return fmt::format("numavp {}{}{}", example.command, example.words.empty() ? "" : " ", example.words);
}

/// Text of a man page: no macro, and hyphens that can be copied.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += std::string("\\&") + c;
        else
            out += c;
    }
    return out;
}

std::string option_head(const CLI::Option& option) {
    std::string head = option.get_positional() ? option.get_name(true) : "--" + option.get_lnames().front();
    if (!option.get_positional() && option.get_expected_max() > 0) head += " " + option.get_type_name();
    return head;
}

std::string man_of(const CLI::App& command) {
    std::string text = fmt::format(".SS {}\n{}\n", roff(command.get_name()), roff(command.get_description()));
    for (const bool positional : {true, false})
        for (const CLI::Option* option : command.get_options())
            if (option->get_positional() == positional && (positional || !option->get_lnames().empty()))
                text += fmt::format(".TP\n.B {}\n{}\n", roff(option_head(*option)), roff(option->get_description()));
    for (const Example& example : kExamples)
        if (is_of(example, command.get_name()))
            text += fmt::format(".PP\n.RS\n{}:\n.br\n.B {}\n.RE\n", roff(example.meaning), roff(line_of(example)));
    return text;
}

} // namespace

std::string examples_of(const std::string& command) {
    std::string text;
    for (const Example& example : kExamples)
        if (is_of(example, command))
            text +=
                fmt::format("{}  {}\n      {}", text.empty() ? "Examples:\n" : "\n", line_of(example), example.meaning);
    return text;
}

std::string man_page() {
    Words words;
    const std::unique_ptr<CLI::App> app = make_parser(words);
    std::string text = fmt::format(".TH NUMAVP 1 \"\" \"numavp {}\"\n.SH NAME\nnumavp \\- {}\n.SH SYNOPSIS\n.B numavp\n"
                                   ".I COMMAND\n[\\fIWORDS\\fR] [\\fIOPTIONS\\fR]\n.SH COMMANDS\n",
                                   roff(program_version()), roff("virtual platform of multi-socket NUMA GPUs"));
    for (const CLI::App* command : app->get_subcommands({})) text += man_of(*command);
    text += ".SH EXIT STATUS\n0: done; 2: a file or the command line is wrong, in one sentence; 3: the model failed.\n";
    text +=
        ".SH FILES\nresults/<system>\\-<workload>: what a run writes. NUMAVP_CONFIGS names further folders of systems, "
        "workloads and studies.\n";
    return text;
}

} // namespace numavp
