#include "platform/cli/cli_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "base/config/config.h"
#include "base/time/clockwork.h"
#include "common/files/json_file.h"
#include "common/files/output_paths.h"
#include "common/files/whole_file.h"
#include "common/inputs/named_workload.h"
#include "common/system/changed_system.h"
#include "common/system/load_system.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "platform/accesses/access_output.h"
#include "platform/cli/cli_live.h"
#include "platform/cli/cli_scale.h"
#include "platform/cli/json_output.h"
#include "platform/explain/own_inputs.h"
#include "platform/machine/system.h"
#include "platform/machine/workload_fit.h"
#include "platform/results/results_folder.h"
#include "platform/results/run_record.h"
#include "platform/results/unfinished_run.h"
#include "platform/results/wave_output.h"
#include "platform/run/interrupt.h"
#include "platform/run/run_output.h"
#include "platform/summary/progress.h"
#include "platform/summary/summary_text.h"
#include "sw/traces/trace_kernel.h"

namespace numavp {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::uint64_t ps_of(const char* option, const std::string& us) {
    constexpr double kMostUs = 1e9;
    return static_cast<std::uint64_t>(std::llround(
        number_of<double>(option, us, 0.0, kMostUs, "a number of microseconds from 0 to 1000000000") * 1e6));
}

/// Null if no waveforms are asked for.
std::unique_ptr<WaveOutput> waves_of(const RunWords& words, SystemOptions& options, ResultsFolder& folder) {
    if (words.waves.empty()) return nullptr;
    const std::uint64_t from = words.waves_from.empty() ? 0 : ps_of("--waves-from", words.waves_from);
    const std::uint64_t to = words.waves_to.empty() ? kNever : ps_of("--waves-to", words.waves_to);
    if (from > to) throw ConfigError("--waves-to", "it is before --waves-from; a later time is expected");
    if (!words.waves_interval.empty())
        options.waves_interval = number_of<unsigned>("--waves-interval", words.waves_interval, 1, 1'000'000'000,
                                                     "a whole number of cycles from 1 to 1000000000");
    auto output = std::make_unique<WaveOutput>(folder.place_of(words.waves), from, to);
    options.waves = &output->waves();
    return output;
}

/// Null if no access is followed.
std::unique_ptr<AccessOutput> accesses_of(const RunWords& words, SystemOptions& options, ResultsFolder& folder) {
    if (words.log_accesses.empty()) return nullptr;
    constexpr std::uint64_t kMost = 1'000'000'000'000;
    options.follow_every = number_of<std::uint64_t>("--log-accesses", words.log_accesses, 1, kMost,
                                                    "a whole number of accesses from 1 to 1000000000000");
    if (!words.access_log.empty()) refuse_odd_access_log(words.access_log);
    auto output =
        std::make_unique<AccessOutput>(words.access_log.empty() ? folder.place_of_own(kAccessLogName, "--log-accesses")
                                                                : folder.place_of(words.access_log));
    options.on_access = [&log = *output](const FollowedAccess& access) { log.write(access); };
    return output;
}

/// Files to write besides the results. Obstacles to them are errors before time is spent on simulation.
std::vector<std::string> companions_of(const RunWords& words, const std::string& out) {
    std::vector<NamedOutput> outputs = {{"--out", out}};
    if (!words.waves.empty()) {
        outputs.push_back({"--waves", words.waves});
        const std::string save = gtkwave_path(behind_links(words.waves));
        if (save != words.waves) outputs.push_back({"the save file of --waves", save});
    }
    if (!words.record_faults.empty()) outputs.push_back({"--record-faults", words.record_faults});
    if (!words.access_log.empty()) outputs.push_back({"--access-log", words.access_log});
    std::vector<std::string> files;
    for (std::size_t i = 1; i < outputs.size(); ++i) {
        refuse_unwritable(outputs[i].path, outputs[i].option);
        refuse_to_replace(outputs[i], {words.system, words.workload});
        files.push_back(outputs[i].path);
    }
    refuse_clashes(outputs, true);
    return files;
}

/// Said when Ctrl-C is noted: a machine of many SMs takes a while until the run looks.
constexpr char kInterruptNoted[] =
    "numavp: interrupted: the run ends after at most 8,192 more cycles; another interrupt ends it at once\n";

RunCost simulate(System& system, bool quiet, const std::function<void(const Progress&)>& look) {
    ProgressLine line(ProgressLine::mode_for(stderr, quiet), stderr);
    const Clock::time_point start = Clock::now();
    system.run([&](const Progress& progress) {
        line.update(progress);
        look(progress);
    });
    return cost_of(system, seconds_since(start));
}

/// Files that are written during the run; either may be null.
struct StreamedOutputs {
    std::unique_ptr<WaveOutput> waves;
    std::unique_ptr<AccessOutput> accesses;
    bool any() const { return waves || accesses; }
    void keep() const {
        if (waves) waves->keep();
        if (accesses) accesses->keep();
    }
};

/// Keeps the records that led up to a failure of the run; without any, those of an earlier run stay.
void keep_after_fault(const StreamedOutputs& streams, System& system, ResultsFolder& folder) {
    if (system.deliveries() + system.arbitrations() == 0) return;
    // Each by itself: where one can't be written the others may. The fault of the run is the one to tell.
    const auto attempt = [](const auto& write) {
        try {
            write();
        } catch (const std::exception&) {}
    };
    attempt([&] { system.flush_accesses(); });
    attempt([&] {
        if (streams.waves) streams.waves->keep();
    });
    attempt([&] {
        if (streams.accesses) streams.accesses->keep();
    });
    attempt([&] {
        if (!folder.files().empty()) folder.commit();
    });
}

/// The run, and what is left of it where it fails or is interrupted. `view`: null without --live.
RunCost simulate_or_leave(const StreamedOutputs& streams, const std::optional<InterruptGuard>& guard, LiveRun* view,
                          System& system, const RunWords& words, ResultsFolder& folder, const WorkloadRecord& workload,
                          const std::string& out) {
    if (view) view->begin();
    try {
        RunCost cost = simulate(system, words.quiet, [&](const Progress& progress) {
            if (view) view->look(system, progress);
            if (guard) guard->check();
        });
        streams.keep();
        if (view) view->rest(system);
        return cost;
    } catch (const Interrupted& interrupt) {
        if (view) view->end("failed", interrupt.what());
        std::string kept; // said when the hidden files are gone
        try {
            kept = write_unfinished(system, workload, out, interrupt.what());
        } catch (const std::exception& fault) {
            kept = fault.what();
        }
        throw Interrupted(interrupt.signal(), kept);
    } catch (const std::exception& fault) {
        if (view) view->end("failed", fault.what());
        if (streams.any()) keep_after_fault(streams, system, folder);
        try { // the fault of the run is the one to tell
            if (const std::string left = write_unfinished(system, workload, out, fault.what()); !left.empty())
                fmt::print(stderr, "numavp: {}\n", escaped(left));
        } catch (const std::exception&) {}
        throw;
    }
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

/// The results of a repeated run are those of its record, byte by byte.
/// `place`: where the new ones are; empty if they are nowhere.
void check_repeated(const RunInput& input, const std::string& results, const std::string& place) {
    if (!input.repeated || input.changed || results == input.repeated->results) return;
    if (place.empty())
        throw ConfigError(input.repeated->folder + "/results.json",
                          "repeating its run gave other results, and the record stays; --out with another folder "
                          "keeps both");
    throw ConfigError(input.repeated->folder + "/results.json",
                      fmt::format("repeating its run gave other results, which are in {}: what it was made of has "
                                  "changed since, such as its trace or its firmware, or the file was edited; 'numavp "
                                  "compare' of both is expected to show what differs",
                                  place));
}

void add_changes_of(const RunWords& words, SystemConfig& config) {
    for (const std::string& change : words.change) add_change(config, change, "--change");
}

} // namespace

RunInput input_of(const RunWords& words) {
    RunInput input;
    std::vector<std::string> assignments = words.set;
    if (!words.interval.empty())
        assignments.push_back(fmt::format("results.interval_cycles={}",
                                          number_of<unsigned>("--interval", words.interval, 10, 100'000'000,
                                                              "a whole number of cycles from 10 to 100000000")));
    const KernelChoice choice = kernel_choice(words.kernels, words.until, words.skip_to);
    if (!is_recorded_run(words.system)) {
        input.config = load_system(words.system, assignments);
        input.workload = load_named_workload(words.workload.empty() ? kDefaultWorkload : words.workload, words.seed,
                                             words.scale, "--");
        choose_kernels(input.workload, choice);
        add_changes_of(words, input.config);
        return input;
    }
    input.repeated = read_recorded_run(words.system);
    if (!words.workload.empty())
        throw ConfigError("command line",
                          fmt::format("'{}' is one word too many: the run of {} is repeated with its own "
                                      "workload; a folder of results stands alone",
                                      quotable(words.workload), words.system));
    input.config = recorded_system(*input.repeated, assignments);
    input.workload = recorded_workload(*input.repeated, words.seed, words.scale);
    choose_kernels(input.workload, choice.all() ? recorded_kernels(*input.repeated) : choice);
    add_changes_of(words, input.config);
    input.changed =
        !assignments.empty() || !words.change.empty() || !words.seed.empty() || !words.scale.empty() || !choice.all();
    return input;
}

SystemOptions options_of(const RunWords& words, const SystemConfig& config) {
    SystemOptions options;
    if (!words.gdb.empty())
        options.gdb_port = number_of<std::uint16_t>("--gdb", words.gdb, 0, 65535, "a port from 0 to 65535");
    if (!words.record_faults.empty() && config.driver.execution == DriverExecution::none)
        throw ConfigError("--record-faults",
                          "nothing faults in this system; driver.execution ideal, native or riscv is "
                          "expected");
    if (!words.workers.empty())
        options.workers =
            number_of<unsigned>("--workers", words.workers, 1, Clockwork::kMaxWorkers,
                                fmt::format("a whole number from 1 to {}", Clockwork::kMaxWorkers).c_str());
    const auto print = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    options.invite = print; // nobody could connect without it
    if (!words.quiet) options.say = print;
    return options;
}

RunCost cost_of(const System& system, double wall_seconds) {
    RunCost cost;
    cost.wall_seconds = wall_seconds;
    cost.cycles = system.cycles();
    cost.warp_instructions = system.progress().warp_instructions;
    cost.events = system.deliveries() + system.arbitrations();
    cost.workers = system.workers();
    cost.why_one_worker = system.why_one_worker();
    return cost;
}

std::string run_command(const RunWords& asked, const std::vector<std::string>& command_line) {
    RunWords words = asked;
    words.scale = scale_of_run(asked);
    const Clock::time_point start = Clock::now();
    const RunInput input = input_of(words);
    const SystemConfig& config = input.config;
    const NamedWorkload& loaded = input.workload;
    refuse_bad_traces(loaded.workload); // before time is spent on the kernels in front of a bad line
    const std::string name = file_name_of(config.name) + "-" + file_name_of(loaded.record.name);
    const std::string out = words.out.empty() ? "results/" + name : words.out;
    ResultsFolder folder(out, words.out.empty(), companions_of(words, out));

    const ReportFiles report_files = words.report ? find_report_files() : ReportFiles{}; // before the time is spent
    if (words.report) folder.refuse_foreign("report.html", "--report");

    const ordered_json own = own_inputs_json(config); // before the time in which a file may change
    SystemOptions options = options_of(words, config);
    // A run that waits for a debugger has no moment at which it would look.
    const char* const sentence = words.gdb.empty() ? kInterruptNoted : nullptr;
    std::optional<InterruptGuard> guard; // while there are hidden files, or kernels that have ended
    if (!words.waves.empty() || !words.log_accesses.empty()) guard.emplace(sentence);
    StreamedOutputs streams;
    streams.waves = waves_of(words, options, folder);
    streams.accesses = accesses_of(words, options, folder);
    const std::unique_ptr<LiveRun> view = live_run_of(words.live, {config, loaded.record.name, out}, options);
    System system(config, loaded.workload, options);
    if (!system.why_one_worker().empty() && !words.quiet)
        fmt::print(stderr, "numavp: one worker: {}\n", system.why_one_worker());
    if (const std::string note = unlike_ranks(config, loaded.workload); !note.empty() && !words.quiet)
        fmt::print(stderr, "numavp: {}: {}\n", escaped(loaded.record.name), escaped(note));
    const double load_seconds = seconds_since(start);
    if (!guard && words.gdb.empty()) guard.emplace(sentence);
    if (guard) guard->check();
    RunCost cost = simulate_or_leave(streams, guard, view.get(), system, words, folder, loaded.record, out);
    if (!guard) guard.emplace();
    guard->say_nothing(); // what follows is quick
    cost.load_seconds = load_seconds;

    if (!words.record_faults.empty()) {
        WholeFile file(folder.place_of(words.record_faults), "--record-faults");
        file.out() << faults_csv(system.faults());
        file.keep();
    }
    if (const std::string unknown = unknown_opcodes_text(unknown_opcodes(loaded.workload)); !unknown.empty())
        fmt::print(stderr, "numavp: {}: {}\n", escaped(loaded.record.name), unknown);
    const RunOutput output =
        run_output(system, loaded, {cost, command_line, own, streams.accesses ? &streams.accesses->kept() : nullptr});
    const ReportText report = words.report ? report_of(output, report_files) : ReportText{};
    const std::string results = json_text(output.results);
    if (input.repeated && real_path(out) == real_path(input.repeated->folder))
        check_repeated(input, results, ""); // before the record is replaced
    const std::string place = write_run(folder, output, report.html, [&guard] { guard->check(); });
    guard.reset();
    if (view) view->end("ended", fmt::format("the results are in {}", place));
    remove_unfinished(out);
    if (!words.out.empty() && real_path(place) != real_path(out))
        fmt::print(stderr, "numavp: {} has become something else; the results are in {}\n", out, place);
    check_repeated(input, results, place);
    if (!report.fault.empty())
        throw ConfigError("--report", fmt::format("{}; the results without it are in {}", report.fault, place));
    if (words.json || words.csv) {
        ordered_json line = summary_json(output.summary);
        line["wall_seconds"] = output.cost.wall_seconds;
        line["results"] = place;
        return words.csv ? paths_csv(line) : json_line("run", line);
    }
    if (words.quiet) return "";
    RunSummary shown = output.summary;
    shown.system = escaped(shown.system);
    shown.workload = escaped(shown.workload);
    return summary_text(shown, output.cost, escaped(place), style_of(STDOUT_FILENO));
}

} // namespace numavp
