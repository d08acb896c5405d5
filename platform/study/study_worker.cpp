#include "platform/study/study_worker.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "common/files/json_file.h"
#include "common/files/program.h"
#include "common/inputs/workload_record.h"
#include "platform/branches/branch_server.h"
#include "platform/branches/forked_branch.h"
#include "platform/machine/system.h"
#include "platform/machine/workload_fit.h"
#include "platform/results/results.h"
#include "platform/study/study_application.h"
#include "platform/study/study_beginnings.h"
#include "platform/study/study_names.h"
#include "platform/summary/caveats.h"
#include "platform/summary/progress.h"
#include "platform/verdict/outside_time.h"
#include "sw/traces/trace_kernel.h"
#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

using Clock = std::chrono::steady_clock;

std::string line_of(const ordered_json& line) { return line.dump() + "\n"; }

/// Time of all events of a kind on the timeline, summed: of copies, of the host's work, or of kernels from their first
/// blocks to their last access.
double spent_ns(const System& system, const std::string& what) {
    std::uint64_t cycles = 0;
    for (const TimelineEvent& event : system.timeline())
        if (event.what == what && event.socket < 0) cycles += event.end - event.cycle;
    return static_cast<double>(cycles) * 1e6 / static_cast<double>(system.config().clock_khz);
}

Workload workload_of(const PointJob& job, WorkloadRecord& record) {
    WorkloadOptions options;
    options.scale = job.scale;
    options.seed = job.seed;
    const bool trace = job.workload.is_null();
    Workload workload =
        trace ? load_workload(job.workload_path, {}) : read_workload(job.workload, Place(job.workload_path), options);
    const double written = trace ? 1.0 : job.workload.value("scale", 1.0);
    if (trace) refuse_bad_traces(workload);
    record = record_of(workload, job.seed, written * job.scale);
    return workload;
}

} // namespace

std::uint64_t declared_accesses(const Workload& workload) {
    std::uint64_t sum = 0;
    for (const Launch& launch : workload.launches)
        if (launch.kernel) sum += launch.kernel->shape().accesses;
    return sum;
}

namespace {

/// Reports the share that is done, at most twice a second.
std::function<void(const Progress&)> reporting(const std::function<void(double)>& report) {
    return [report, next = Clock::now()](const Progress& progress) mutable {
        if (!report || Clock::now() < next) return;
        next = Clock::now() + std::chrono::milliseconds(500);
        report(done_share(progress));
    };
}

/// Of a run that has ended.
PointOutcome outcome_after(const System& system, const SystemConfig& config, const Workload& workload,
                           const WorkloadRecord& record) {
    PointOutcome outcome;
    outcome.done = true;
    const ordered_json results = results_json(system, record);
    outcome.results = json_text(results);
    outcome.derived = {{"copies_ns", spent_ns(system, "copies")},
                       {"host_ns", spent_ns(system, "host")},
                       {"kernels_ns", spent_ns(system, "kernel")},
                       {"declared_accesses", static_cast<double>(declared_accesses(workload))}};
    const OutsideTime outside = outside_time(config, KernelRows(results), system.cycles());
    const auto ns = [&](std::uint64_t cycles) {
        return static_cast<double>(cycles) * 1e6 / static_cast<double>(config.clock_khz);
    };
    for (const auto& [name, cycles] :
         {std::pair{"outside_ns", outside.all()}, std::pair{"launches_ns", outside.launches},
          std::pair{"flushes_ns", outside.flushes}})
        outcome.derived.emplace_back(name, ns(cycles));
    for (const DerivedValues& values : {application_figures(workload, system, results), saturated_intervals(results)})
        outcome.derived.insert(outcome.derived.end(), values.begin(), values.end());
    for (const Caveat& caveat : caveats_of(config, results))
        outcome.derived.emplace_back(std::string("caveat.") + caveat.rule->name, caveat.value);
    outcome.host = host_name();
    return outcome;
}

double taken_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

SystemConfig system_of(const PointJob& job) {
    return read_config<SystemConfig>(json(job.system), Place(job.system_name));
}

/// The point's system with the changes before the launch of a kernel alone.
SystemConfig system_before(const PointJob& job, std::uint64_t kernel) {
    SystemConfig config = system_of(job);
    std::vector<SettingChange>& changes = config.changes.at;
    const auto later = [kernel](const SettingChange& change) { return change.kernel >= kernel; };
    changes.erase(std::remove_if(changes.begin(), changes.end(), later), changes.end());
    return config;
}

std::uint64_t last_change_of(const SharedBeginning& beginning) {
    std::uint64_t last = beginning.kernel;
    for (const auto& job : beginning.points)
        for (const SettingChange& change : system_of(*job).changes.at) last = std::max(last, change.kernel);
    return last;
}

std::string text_from_stdin() {
    std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    if (text.empty())
        throw ConfigError("study point", "no job came on the standard input; 'numavp study run' sends it");
    return text;
}

} // namespace

PointOutcome run_point(const PointJob& job, const std::function<void(double)>& report, PointWatch* watch) {
    const Clock::time_point start = Clock::now();
    const SystemConfig config = system_of(job);
    if (job.names_only) {
        PointOutcome names;
        names.done = true;
        names.results = ordered_json(names_of_metrics(config)).dump();
        return names;
    }
    WorkloadRecord record;
    const Workload workload = workload_of(job, record);
    SystemOptions options;
    if (watch) watch->prepare(job, config, options);
    System system(config, workload, options);
    if (watch) watch->begin();
    system.run([&, tell = reporting(report)](const Progress& progress) mutable {
        if (watch) watch->look(system, progress);
        tell(progress);
    });
    if (watch) watch->rest(system);
    PointOutcome outcome = outcome_after(system, config, workload, record);
    outcome.wall_s = taken_since(start);
    return outcome;
}

void tell_study(const ordered_json& line) {
    const std::string text = line_of(line);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw ConfigError("output", "it can't be written; the study that asked for this point is expected to read it");
}

void run_point_from_stdin(PointWatch* watch) {
    const PointJob job = job_of(text_from_stdin());
    try {
        const auto report = [](double share) { tell_study({{"progress", share}}); };
        tell_study({{"outcome", outcome_text(run_point(job, report, watch))}});
    } catch (const std::exception& fault) {
        if (watch) watch->end(fault.what());
        throw;
    }
    if (watch) watch->end("");
}

void run_beginning_from_stdin(int socket) {
    Clock::time_point start = Clock::now(); // moved by the time in which a branch waits for its turn
    const SharedBeginning beginning = beginning_of(text_from_stdin());
    BranchServer server(socket);
    const PointJob& first = *beginning.points.front();
    const SystemConfig config = system_before(first, beginning.kernel);
    WorkloadRecord record;
    const Workload workload = workload_of(first, record);
    check_launch(workload, beginning.kernel, "changes.at");
    std::optional<System> system;
    std::optional<SystemConfig> own; // in a branch
    double shared_s = 0.0;
    SystemOptions options;
    options.branch = BranchPoint{beginning.kernel, last_change_of(beginning), [&] {
                                     const Clock::time_point reached = Clock::now();
                                     shared_s = taken_since(start);
                                     const std::size_t point = server.serve(done_share(system->progress()), shared_s);
                                     start += Clock::now() - reached;
                                     own = system_of(*beginning.points.at(point));
                                     check_fit(*own, workload);
                                     return *own;
                                 }};
    system.emplace(config, workload, options);
    try {
        system->run(reporting([](double share) { tell_study({{"progress", share}}); }));
    } catch (const BranchesEnded&) {
        return;
    }
    if (!own) throw ModelError(fmt::format("the run has ended before the launch of kernel {}", beginning.kernel));
    PointOutcome outcome = outcome_after(*system, *own, workload, record);
    outcome.wall_s = taken_since(start);
    outcome.shared_s = shared_s;
    end_branch(line_of({{"outcome", outcome_text(outcome)}}));
}

std::string outcome_text(const PointOutcome& outcome) {
    ordered_json value = {{"done", outcome.done},       {"message", outcome.message},
                          {"results", outcome.results}, {"derived", ordered_json::object()},
                          {"wall_s", outcome.wall_s},   {"shared_s", outcome.shared_s},
                          {"host", outcome.host}};
    for (const auto& [name, number] : outcome.derived) value["derived"][name] = number;
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

PointOutcome outcome_of(const std::string& text) {
    const ordered_json value = ordered_json::parse(text);
    PointOutcome outcome;
    outcome.done = value.at("done");
    outcome.message = value.at("message");
    outcome.results = value.at("results");
    for (const auto& [name, number] : value.at("derived").items()) outcome.derived.emplace_back(name, number);
    outcome.wall_s = value.at("wall_s");
    outcome.shared_s = value.at("shared_s");
    outcome.host = value.at("host");
    return outcome;
}

} // namespace numavp
