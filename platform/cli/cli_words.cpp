#include "platform/cli/cli_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "common/files/program.h"
#include "platform/cli/cli_examples.h"
#include "platform/cli/run_words.h"

namespace numavp {
namespace {

/// Words of the script `./numavp`, which this program does not know.
constexpr const char* kScriptWords[] = {"test", "bench", "fuzz", "build", "mutate", "install-deps"};

void add_network(CLI::App& app, NetworkWords& words) {
    CLI::App* network = app.add_subcommand("network", "Latency over load of a network of routers, without GPUs");
    network
        ->add_option("NETWORK", words.system,
                     "Name of a system whose sockets routers join (numavp list networks), or JSON file")
        ->type_name("")
        ->required();
    const auto add = [network](const char* name, std::string& word, const char* type, const char* doc) {
        network->add_option(name, word, doc)->type_name(type)->take_last();
    };
    add("--traffic", words.traffic, "T",
        "uniform, neighbour, complement, tornado, transpose, bad-permutation, or a file of lines from,to,weight");
    add("--rates", words.rates, "R,R",
        "Flits a cycle and terminal; requests a cycle and terminal with --requests. Of a GPU network the mean of a "
        "GPU's "
        "channels");
    network->add_flag("--curve", words.curve, "Find saturation and measure up to it, as without --rates")
        ->disable_flag_override();
    add("--packet-bytes", words.packet_bytes, "N", "Bytes of a packet, header included; 144 unless given");
    network->add_flag("--requests", words.requests, "Requests of one flit, answered by packets of --packet-bytes")
        ->disable_flag_override();
    add_set(*network, words.set);
    add("--seed", words.seed, "N", "Seed of all draws; 1 unless given");
    add("--packets", words.packets, "N", "A rate is given up as known less well after so many packets; 4,000,000");
    add("--jobs", words.jobs, "N", "Rates measured at once; as many as there are cores unless given");
    add("--csv", words.csv, "FILE", "Write the points as CSV");
    add("--report", words.report, "FILE",
        "Write a report, one HTML file: curves, the network's drawing, use of its channels");
    network->add_flag("--json", words.json, "Print the points as one line of JSON")->disable_flag_override();
    network->add_flag("--quiet", words.quiet, "No progress and no table")->disable_flag_override();
}

void add_check(CLI::App& app, CheckWords& words) {
    CLI::App* check = app.add_subcommand("check", "Say what files are and whether they are sound");
    check
        ->add_option(
            "FILE", words.files,
            "Systems, workloads (files or names), studies, results, or folders of these, .traceg[.xz], .tracez, "
            ".memtrace[.xz], kernelslist.g")
        ->type_name("")
        ->required();
    CLI::Option* sharing = check->add_flag("--sharing", words.sharing,
                                           "Count the pages of a workload by how many SMs touch them, without "
                                           "simulation");
    sharing->disable_flag_override();
    check->add_option("--set", words.set, "A setting of the systems, such as gpu[2].sms=32")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->excludes(sharing);
    const auto add = [&](const char* name, std::string& word, const char* type, const char* doc) {
        check->add_option(name, word, doc)->type_name(type)->take_last()->needs(sharing);
    };
    add("--sms", words.sms, "N", "SMs that the blocks are split over; 64 unless given");
    add("--split", words.split, "S", "contiguous (distributed block scheduling) or round_robin; contiguous");
    add("--page-bytes", words.page_bytes, "N", "Bytes of a page, a power of two; 4096 unless given");
    add("--scale", words.scale, "X", "Factor on the workload's problem size; 1 unless given");
    add("--instructions", words.instructions, "N", "Walk only so many thread instructions; 1000000000 unless given");
    check->add_flag("--json", words.json, "Print each count as one line of JSON")
        ->disable_flag_override()
        ->needs(sharing);
    check->add_flag("--quiet", words.quiet, "No progress")->disable_flag_override()->needs(sharing);
}

void add_others(CLI::App& app, Words& words) {
    CLI::App* list = app.add_subcommand(
        "list", "What there is: systems, networks, workloads, patterns, policies, settings, changes, values, "
                "devices, graphs");
    list->add_option(
            "WHAT", words.list.what,
            "systems, networks, workloads, patterns, policies, settings, changes (settings that may change during a "
            "run), values, devices or graphs")
        ->type_name("")
        ->required();
    list->add_option("NAME", words.list.name,
                     "A pattern: lists its parameters; behind values a setting: lists its values")
        ->type_name("");
    list->add_flag("--json", words.list.json, "As JSON")->disable_flag_override();
    list->add_flag("--csv", words.list.csv, "As CSV")->disable_flag_override();
    list->add_flag("--names", words.list.names, "Names alone, one a line")->disable_flag_override()->excludes("--json");

    CLI::App* explain =
        app.add_subcommand("explain", "A system's modules, bandwidths, latencies, network, policies, a drawing");
    explain->add_option("SYSTEM", words.explain.system, "Name of a system, or JSON file")->type_name("")->required();
    add_set(*explain, words.explain.set);
    explain->add_flag("--json", words.explain.json, "As JSON, with the whole resolved configuration")
        ->disable_flag_override();
    explain->add_flag("--csv", words.explain.csv, "Bandwidths and latencies as CSV")
        ->disable_flag_override()
        ->excludes("--json");

    CLI::App* replay = app.add_subcommand("replay-faults", "Feed recorded page faults to the driver, without sockets");
    replay->add_option("FILE", words.replay.file, "Faults as numavp run --record-faults wrote them")
        ->type_name("")
        ->required();
    replay->add_option("SYSTEM", words.replay.system, "Name or JSON file")->type_name("")->default_str(kDefaultSystem);
    replay->add_option("--execution", words.replay.execution, "ideal, native or riscv; as the system says unless given")
        ->type_name("E")
        ->take_last();
    add_set(*replay, words.replay.set);
    replay->add_option("--page-table", words.replay.page_table, "Write the page table that results, as CSV")
        ->type_name("FILE")
        ->take_last();
    replay->add_flag("--json", words.replay.json, "Print the result as one line of JSON")->disable_flag_override();

    CLI::App* report = app.add_subcommand("report", "One HTML file with the charts of a run or a study");
    report->add_option("RESULTS", words.report.from, "Folder of a run, or rows of numavp study show --json")
        ->type_name("")
        ->required();
    report->add_option("--out", words.report.out, "File to write; beside the results unless given")
        ->type_name("FILE")
        ->take_last();

    add_check(app, words.check);
    app.add_subcommand(
           "schema",
           "Print a JSON Schema: of system, workload, study or graph files, results.json, or an output of --json")
        ->add_option("WHAT", words.schema,
                     "system, workload, study, graph, results, or an output such as run or study-show")
        ->type_name("")
        ->required();
    app.add_subcommand("completion", "Print a completion script: source <(numavp completion bash)")
        ->add_option("SHELL", words.shell, "bash, zsh or fish")
        ->type_name("")
        ->required();
    app.add_subcommand("version", "Print the version, as --version does");
    CLI::App* help = app.add_subcommand("help", "Help of a command");
    help->add_option("COMMAND", words.help, "A command")->type_name("");
    help->add_flag("--man", words.man, "Print the man page, in roff: numavp help --man | man -l -")
        ->disable_flag_override();
}

/// An option without a value would look as if it were not given.
void refuse_empty_values(CLI::App& app) {
    for (CLI::App* command : app.get_subcommands({}))
        for (CLI::Option* option : command->get_options())
            if (!option->get_lnames().empty() && option->get_items_expected_max() > 0)
                option->check([](const std::string& value) {
                    return std::string(value.empty() ? "it is empty; a value is expected" : "");
                });
}

/// Of two places to write to, one would be forgotten.
void refuse_second_outputs(CLI::App& app) {
    for (CLI::App* command : app.get_subcommands())
        for (const char* const name :
             {"--out", "--waves", "--record-faults", "--access-log", "--page-table", "--db", "--csv", "--report"})
            if (const CLI::Option* option = command->get_option_no_throw(name);
                option && option->get_items_expected_max() > 0 && option->count() > 1)
                throw ConfigError("command line",
                                  fmt::format("{} is there {} times; once is allowed", name, option->count()));
}

std::vector<std::string> command_names(CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

[[noreturn]] void unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
    throw ConfigError("command line", unknown_name(what, word, {known.begin(), known.end()}));
}

void check_command(CLI::App& app, const std::string& word) {
    const std::vector<std::string> names = command_names(app);
    if (std::find(names.begin(), names.end(), word) != names.end()) return;
    if (std::find(std::begin(kScriptWords), std::end(kScriptWords), word) != std::end(kScriptWords))
        throw ConfigError("command line", "'" + word +
                                              "' is a word of the script ./numavp in the source tree, not of "
                                              "this program; run it there");
    unknown("command", word, names);
}

/// Words that no option took.
[[noreturn]] void refuse_extras(CLI::App& app) {
    for (const CLI::App* command : app.get_subcommands()) {
        for (const std::string& word : command->remaining()) {
            if (word.size() < 2 || word[0] != '-')
                throw ConfigError("command line", fmt::format("'{}' is one word too many; numavp help {} shows what is "
                                                              "allowed",
                                                              quotable(word), command->get_name()));
            std::vector<std::string> options;
            for (const CLI::Option* option : command->get_options())
                for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
            unknown("option", word.substr(0, word.find('=')), options);
        }
    }
    std::vector<std::string> words = app.remaining();
    throw ConfigError("command line",
                      fmt::format("unknown option '{}'; allowed are '--help', '--version' and a command",
                                  words.empty() ? "" : quotable(words.front())));
}

[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
    std::string text = error.what();
    text = text.substr(0, text.find('\n'));
    if (const std::size_t at = text.find(" was given a disallowed flag override"); at != std::string::npos)
        text = "--" + text.substr(0, at) + " takes no value";
    const auto commands = app.get_subcommands();
    const std::string help = commands.empty() ? "help" : "help " + commands.front()->get_name();
    throw ConfigError("command line", fmt::format("{}; numavp {} shows what is allowed", quotable(text), help));
}

/// "--set a=1 b=2" is "--set a=1 --set b=2": no other word has an equals sign after a path.
std::vector<std::string> spread_sets(int argc, const char* const* argv) {
    std::vector<std::string> words;
    bool after_set = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool assignment =
            word.find('=') != std::string::npos && word[0] != '-' && word.find('/') > word.find('=');
        if (after_set && assignment && words.back() != "--set") words.emplace_back("--set");
        after_set = word == "--set" || (after_set && assignment);
        words.push_back(word);
    }
    return words;
}

} // namespace

std::string version_text() { return "numavp " + program_version() + ", " + compiler_name(); }

std::unique_ptr<CLI::App> make_parser(Words& words) {
    auto app = std::make_unique<CLI::App>("A virtual platform of multi-socket NUMA GPUs.", "numavp");
    app->require_subcommand(0, 1);
    app->set_version_flag("--version", version_text());
    app->get_formatter()->column_width(34);
    add_run(*app, words.run);
    add_attach(*app, words.attach);
    add_branch(*app, words.branch);
    add_study(*app, words.study);
    add_network(*app, words.network);
    add_memory(*app, words.memory);
    add_compare(*app, words.compare);
    add_correlate(*app, words.correlate);
    add_import(*app, words.import);
    add_characterize(*app, words.characterize);
    add_graph(*app, words.graph);
    add_predict(*app, words.predict);
    add_what_if(*app, words.what_if);
    add_others(*app, words);
    refuse_empty_values(*app);
    for (CLI::App* command : app->get_subcommands({})) command->footer(examples_of(command->get_name()));
    app->footer("The script ./numavp of the source tree also knows: test, bench, fuzz, build, mutate, install-deps.\n"
                "Without arguments, run simulates the 4-socket NUMA-aware GPU of \"Beyond the Socket\" (MICRO 2017).");
    return app;
}

bool parse_words(int argc, const char* const* argv, Words& words) {
    const std::unique_ptr<CLI::App> app = make_parser(words);
    std::vector<std::string> typed = with_live_port(spread_sets(argc, argv));
    if (typed.empty()) typed.emplace_back("--help");
    if (typed.front().empty() || typed.front()[0] != '-') check_command(*app, typed.front());
    std::reverse(typed.begin(), typed.end()); // CLI11 takes them from the back
    try {
        app->parse(std::move(typed));
    } catch (const CLI::Success& help) {
        app->exit(help); // prints
        return false;
    } catch (const CLI::ExtrasError&) {
        refuse_extras(*app);
    } catch (const CLI::ParseError& error) {
        refuse(*app, error);
    }
    refuse_second_outputs(*app);
    const auto commands = app->get_subcommands();
    words.command = commands.empty() ? "help" : commands.front()->get_name();
    return true;
}

std::string help_of(const std::string& command) {
    Words words;
    const std::unique_ptr<CLI::App> app = make_parser(words);
    if (command.empty()) return app->help();
    check_command(*app, command);
    return app->get_subcommand(command)->help("numavp");
}

} // namespace numavp
