#include "platform/cli/cli_branch.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "common/files/json_file.h"
#include "common/system/changed_system.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "platform/branches/branch_processes.h"
#include "platform/branches/forked_branch.h"
#include "platform/cli/cli_live.h"
#include "platform/cli/cli_run.h"
#include "platform/cli/json_output.h"
#include "platform/explain/own_inputs.h"
#include "platform/live/live_branches.h"
#include "platform/machine/workload_fit.h"
#include "platform/results/unfinished_run.h"
#include "platform/run/interrupt.h"
#include "platform/run/run_output.h"
#include "platform/summary/progress.h"
#include "sw/traces/trace_kernel.h"

namespace numavp {
namespace {

using BranchClock = std::chrono::steady_clock;

constexpr const char* kUnchanged = "unchanged";

/// A branch as it was asked for.
struct Branch {
    std::string name;              ///< the changes as they were typed
    std::vector<std::string> sets; ///< "path=value"
    std::string out;               ///< folder
};

/// The assignments of "a.b=1,c.d=2".
std::vector<std::string> assignments_in(const std::string& text) {
    std::vector<std::string> sets;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        sets.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return sets;
}

std::vector<Branch> branches_of(const BranchWords& words, const std::string& out) {
    std::vector<Branch> branches;
    if (words.unchanged) branches.push_back({kUnchanged, {}, ""});
    for (const std::string& text : words.changes) branches.push_back({text, assignments_in(text), ""});
    if (branches.empty())
        throw ConfigError("--change", "there is no branch; a change for each is expected, such as --change "
                                      "link.sample_cycles=2000, or --unchanged");
    std::set<std::string> folders;
    for (Branch& branch : branches) {
        branch.out = out + "/" + file_name_of(branch.name);
        if (!folders.insert(branch.out).second)
            throw ConfigError("--change",
                              fmt::format("two branches are called {}; they must differ", quotable(branch.name)));
    }
    return branches;
}

/// What one process has and several can't share.
void refuse_uncarried(const BranchWords& words, const SystemConfig& config) {
    const auto refuse = [](const char* option, const char* what) {
        throw ConfigError(option, fmt::format("{}, which branches can't share; 'numavp run --change' of one branch is "
                                              "allowed with it",
                                              what));
    };
    if (!words.run.waves.empty()) refuse("--waves", "waveforms are one file, open from the start of the run");
    if (!words.run.log_accesses.empty())
        refuse("--log-accesses", "the log is one file, open from the start of the run");
    if (!words.run.record_faults.empty()) refuse("--record-faults", "the faults are those of one run");
    if (!words.run.gdb.empty()) refuse("--gdb", "a debugger is connected to one process");
    if (config.driver.execution == DriverExecution::foreign)
        refuse("driver.execution", "a driver outside of this program answers one process");
}

/// Wrong changes are told before time is spent on the part that branches share.
void check_branches(const std::vector<Branch>& branches, std::uint64_t kernel, const RunInput& input) {
    check_launch(input.workload.workload, kernel, "--at");
    for (const Branch& branch : branches) {
        SystemConfig config = input.config;
        add_changes(config, kernel, branch.sets, "--change");
    }
}

/// Number of the last launch at which a branch from `kernel` changes settings.
std::uint64_t last_change(const SystemConfig& config, std::uint64_t kernel) {
    for (const SettingChange& change : config.changes.at) kernel = std::max(kernel, change.kernel);
    return kernel;
}

std::vector<LiveBranch> live_branches_of(const std::vector<Branch>& branches) {
    std::vector<LiveBranch> all;
    for (const Branch& branch : branches) all.push_back({branch.name, branch.out});
    return all;
}

BranchHooks hooks_of(LiveBranches& live) {
    BranchHooks hooks;
    hooks.before_fork = [&live] { live.before_fork(); };
    hooks.after_fork = [&live](std::size_t branch) { live.after_fork(branch); };
    hooks.take_line = [&live](std::size_t branch, const std::string& line) { return live.take_line(branch, line); };
    hooks.on_wait = [&live] { live.answer(); };
    hooks.in_branch = [&live](std::size_t branch) { live.in_branch(branch); };
    return hooks;
}

/// Simulates; in the process that began up to the kernel, in a branch to the end.
/// `view`: null without --live.
void simulate_branches(System& system, const BranchProcesses& processes, bool quiet, ProgressLine& line,
                       LiveRun* view) {
    system.run([&](const Progress& progress) {
        if (view) view->look(system, progress);
        if (!quiet && !processes.branch()) line.update(progress);
    });
}

/// What a branch tells the process that began.
std::string line_to_parent(const RunOutput& output, const std::string& place, const std::string& fault) {
    ordered_json line = summary_json(output.summary);
    line["wall_seconds"] = output.cost.wall_seconds;
    line["results"] = place;
    if (!fault.empty()) line["report"] = fault;
    return line.dump() + "\n";
}

/// The branches and how they ended.
constexpr int kStatusOfStrayOutput = 3; ///< as of a fault of the program

class BranchTable {
  public:
    BranchTable(const std::vector<Branch>& branches, std::uint64_t kernel)
        : branches_(branches), kernel_(kernel), ends_(branches.size()), told_(branches.size()) {}

    void ended(std::size_t branch, const BranchEnd& end) {
        ends_[branch] = end;
        if (end.status == 0) told_[branch] = ordered_json::parse(end.said, nullptr, false);
        if (end.status != 0 || told_[branch].is_object()) return;
        told_[branch] = ordered_json();
        ends_[branch].status = kStatusOfStrayOutput;
        ends_[branch].complaint =
            "its results are written, but a model of it printed to standard output, where they are told";
    }
    /// One line about a branch that has ended.
    std::string line(std::size_t branch) const {
        const std::string name = escaped(branches_[branch].name);
        if (const BranchEnd& end = ends_[branch]; end.status != 0)
            return fmt::format("branch {} failed: {}", name, escaped(end.complaint, true));
        const std::string done = fmt::format("branch {}: {} cycles", name, grouped(cycles(branch)));
        const auto fault = told_[branch].find("report");
        return fault == told_[branch].end() ? done
                                            : fmt::format("{}, but no report: {}", done, fault->get<std::string>());
    }
    bool good(std::size_t branch) const { return ends_[branch].status == 0; }
    int status() const {
        for (const BranchEnd& end : ends_)
            if (end.status != 0) return end.status;
        return 0;
    }
    std::string text(const Style& style) const {
        TextTable table({"branch", "cycles", "of the first", "results"}, {true, false, false, true});
        const double first = ends_.front().status == 0 ? static_cast<double>(cycles(0)) : 0.0;
        for (std::size_t b = 0; b < branches_.size(); ++b) {
            const bool good = ends_[b].status == 0;
            const std::string share =
                !good || first == 0.0 ? "-" : fmt::format("{:.3f}", static_cast<double>(cycles(b)) / first);
            table.row({escaped(branches_[b].name), good ? grouped(cycles(b)) : "-", share,
                       good ? escaped(told_[b].at("results").get<std::string>())
                            : fmt::format("failed with status {}", ends_[b].status)});
        }
        return table.text(style, 0);
    }
    ordered_json json() const {
        ordered_json out = {{"kernel", kernel_}, {"branches", ordered_json::array()}};
        for (std::size_t b = 0; b < branches_.size(); ++b) {
            ordered_json branch = {{"changes", branches_[b].sets}, {"status", ends_[b].status}};
            if (ends_[b].status != 0)
                branch["fault"] = ends_[b].complaint;
            else
                branch["run"] = told_[b];
            out["branches"].push_back(std::move(branch));
        }
        return out;
    }

  private:
    std::uint64_t cycles(std::size_t branch) const { return told_[branch].at("cycles").get<std::uint64_t>(); }

    const std::vector<Branch>& branches_;
    std::uint64_t kernel_;
    std::vector<BranchEnd> ends_;
    std::vector<ordered_json> told_; ///< null of one that failed
};

/// In a branch that has come to its end: its files, and the line about them.
std::string finish_branch(const System& system, const RunInput& input, const Branch& branch, ResultsFolder& folder,
                          const RunFacts& facts, const std::optional<ReportFiles>& report_files) {
    const InterruptGuard guard;
    const RunOutput output = run_output(system, input.workload, facts);
    const ReportText report = report_files ? report_of(output, *report_files) : ReportText{};
    const std::string place = write_run(folder, output, report.html, [&guard] { guard.check(); });
    remove_unfinished(branch.out);
    return line_to_parent(output, place, report.fault);
}

} // namespace

BranchesResult branch_command(const BranchWords& words, const std::vector<std::string>& command_line) {
    const BranchClock::time_point start = BranchClock::now();
    const RunInput input = input_of(words.run);
    const auto kernel =
        number_of<std::uint64_t>("--at", words.at, 1, kMostLaunches, "the number of a kernel's launch, from 1");
    refuse_uncarried(words, input.config);
    SystemOptions options = options_of(words.run, input.config);
    const std::size_t jobs =
        words.jobs.empty() ? std::max(1U, std::thread::hardware_concurrency() / std::max(1U, options.workers))
                           : number_of<std::size_t>("--jobs", words.jobs, 1, 4096, "a whole number from 1 to 4096");
    const std::string name =
        fmt::format("{}-{}-at-{}", file_name_of(input.config.name), file_name_of(input.workload.record.name), kernel);
    const std::string out = words.run.out.empty() ? "results/" + name : words.run.out;
    const std::vector<Branch> branches = branches_of(words, out);
    check_branches(branches, kernel, input);
    refuse_bad_traces(input.workload.workload);
    std::vector<std::unique_ptr<ResultsFolder>> folders;
    for (const Branch& branch : branches)
        folders.push_back(std::make_unique<ResultsFolder>(branch.out, words.run.out.empty()));
    std::optional<ReportFiles> report_files;
    if (words.run.report) report_files = find_report_files();
    const ordered_json own = own_inputs_json(input.config);

    std::unique_ptr<LiveRun> view =
        live_run_of(words.run.live, {input.config, input.workload.record.name, out}, options);
    std::optional<LiveBranches> live;
    if (view) live.emplace(*view, live_branches_of(branches), kernel);

    ProgressLine line(ProgressLine::mode_for(stderr, words.run.quiet), stderr);
    BranchTable table(branches, kernel);
    const auto on_end = [&](std::size_t branch, const BranchEnd& end) {
        table.ended(branch, end);
        if (live) live->ended(branch, table.good(branch));
        if (!words.run.quiet || end.status != 0) fmt::print(stderr, "numavp: {}\n", table.line(branch));
    };
    BranchProcesses processes(branches.size(), jobs, on_end, live ? hooks_of(*live) : BranchHooks());
    const System* running = nullptr;
    BranchClock::time_point simulated_since; // moved by the time in which a branch waits for its turn
    options.branch = BranchPoint{kernel, last_change(input.config, kernel), [&] {
                                     line.clear();
                                     if (live) live->reach(*running);
                                     const BranchClock::time_point reached = BranchClock::now();
                                     const std::size_t branch = processes.fork_all();
                                     simulated_since += BranchClock::now() - reached;
                                     SystemConfig changed = input.config;
                                     add_changes(changed, kernel, branches[branch].sets, "--change");
                                     return changed;
                                 }};
    System system(input.config, input.workload.workload, options);
    running = &system;
    if (view) view->begin();
    if (!system.why_one_worker().empty() && !words.run.quiet)
        fmt::print(stderr, "numavp: one worker: {}\n", system.why_one_worker());
    const BranchClock::time_point loaded = BranchClock::now();
    simulated_since = loaded;
    const auto seconds = [](BranchClock::duration time) { return std::chrono::duration<double>(time).count(); };
    try {
        simulate_branches(system, processes, words.run.quiet, line, view.get());
    } catch (const BranchesEnded&) {
        if (view) view->end("ended", fmt::format("all branches have ended; their results are in {}", out));
        if (words.run.json) return {json_line("branch", table.json()), table.status()};
        return {words.run.quiet ? "" : table.text(style_of(STDOUT_FILENO)), table.status()};
    } catch (const std::exception& fault) {
        if (view) view->end("failed", fault.what());
        if (processes.branch()) {
            try { // the fault of the run is the one to tell
                write_unfinished(system, input.workload.record, branches[*processes.branch()].out, fault.what());
            } catch (const std::exception&) {}
        }
        throw;
    }
    if (!processes.branch()) throw ModelError(fmt::format("the run has ended before the launch of kernel {}", kernel));
    if (view) view->rest(system);
    RunFacts facts{cost_of(system, seconds(BranchClock::now() - simulated_since)), command_line, own, nullptr};
    facts.cost.load_seconds = seconds(loaded - start);
    const std::size_t own_branch = *processes.branch();
    const std::string told =
        finish_branch(system, input, branches[own_branch], *folders[own_branch], facts, report_files);
    if (view) view->end("ended", fmt::format("the results are in {}", branches[own_branch].out));
    view.reset(); // its page and its entry for `attach` go with it
    end_branch(told);
}

} // namespace numavp
