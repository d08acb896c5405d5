#include "platform/cli_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

#include "models/base/config.h"
#include "platform/cli_interrupt.h"
#include "platform/cli_number.h"
#include "platform/locate.h"
#include "platform/named_workload.h"
#include "platform/progress.h"
#include "platform/report/run_report.h"
#include "platform/results.h"
#include "platform/results_folder.h"
#include "platform/results_host.h"
#include "platform/results_timeline.h"
#include "platform/summary_text.h"
#include "platform/system.h"
#include "platform/whole_file.h"

namespace numavp {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

SystemOptions options_of(const RunWords& words, const SystemConfig& config) {
    SystemOptions options;
    if (!words.gdb.empty())
        options.gdb_port = number_of<std::uint16_t>("--gdb", words.gdb, 0, 65535, "a port from 0 to 65535");
    if (!words.record_faults.empty() && config.driver.execution == DriverExecution::none)
        throw ConfigError("--record-faults",
                          "nothing faults in this system; driver.execution ideal, native or riscv is "
                          "expected");
    const auto print = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    options.invite = print; // nobody could connect without it
    if (!words.quiet) options.say = print;
    return options;
}

std::string write_results(ResultsFolder& folder, const ordered_json& results, const ordered_json& timeline,
                          const ordered_json& run, const std::string& report) {
    const InterruptGuard guard;
    folder.write("results.json", json_text(results));
    guard.check();
    folder.write("timeline.json", timeline.dump() + "\n");
    folder.write("run.json", json_text(run));
    if (!report.empty()) folder.write("report.html", report);
    guard.check();
    return folder.commit();
}

RunCost simulate(System& system, bool quiet) {
    ProgressLine line(ProgressLine::mode_for(stderr, quiet), stderr);
    const Clock::time_point start = Clock::now();
    system.run([&](const Progress& progress) { line.update(progress); });
    RunCost cost;
    cost.wall_seconds = seconds_since(start);
    cost.cycles = system.cycles();
    cost.warp_instructions = system.progress().warp_instructions;
    cost.events = system.deliveries() + system.arbitrations();
    return cost;
}

/// Leaves of a tree as lines of "path,value".
std::string paths_csv(const ordered_json& tree) {
    std::string out = csv_line({"path", "value"});
    const ordered_json flat = tree.flatten(); // an empty group becomes null
    for (const auto& [pointer, value] : flat.items()) {
        std::string path = pointer.substr(1);
        std::replace(path.begin(), path.end(), '/', '.');
        out += csv_line({path, value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump()});
    }
    return out;
}

} // namespace

std::string run_command(const RunWords& words, const std::vector<std::string>& command_line) {
    const Clock::time_point start = Clock::now();
    std::vector<std::string> assignments = words.set;
    if (!words.interval.empty()) assignments.push_back("results.interval_cycles=" + words.interval);
    const SystemConfig config = load_system(words.system, assignments);
    const NamedWorkload loaded = load_named_workload(words.workload, words.seed, words.scale, "--");
    const std::string name = file_name_of(config.name) + "-" + file_name_of(loaded.record.name);
    ResultsFolder folder(words.out.empty() ? "results/" + name : words.out, words.out.empty());

    const ReportFiles report_files = words.report ? find_report_files() : ReportFiles{}; // before the time is spent

    System system(config, loaded.workload, options_of(words, config));
    const double load_seconds = seconds_since(start);
    RunCost cost = simulate(system, words.quiet);
    cost.load_seconds = load_seconds;

    if (!words.record_faults.empty()) {
        WholeFile file(words.record_faults, "--record-faults");
        file.out() << faults_csv(system.faults());
        file.keep();
    }
    const ordered_json results = results_json(system, loaded.record);
    const RunSummary summary = summarise(config, results);
    cost.transactions = summary.completed;
    const ordered_json timeline =
        timeline_json(system.timeline(), results.at("series"), config.sockets, config.clock_khz, config.link.lane_gbps);
    const ordered_json run = run_json(cost, command_line);
    const std::string report = words.report ? report_html(run_report(results, timeline, run), report_files) : "";
    const std::string place = write_results(folder, results, timeline, run, report);
    if (words.json || words.csv) {
        ordered_json line = summary_json(summary);
        line["wall_seconds"] = cost.wall_seconds;
        line["results"] = place;
        return words.csv ? paths_csv(line) : line.dump() + "\n";
    }
    return words.quiet ? "" : summary_text(summary, cost, place, style_of(STDOUT_FILENO));
}

} // namespace numavp
