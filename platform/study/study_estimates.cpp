#include "platform/study/study_estimates.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

constexpr double kSecondsPerAccess = 3e-6; ///< until a point has ended, for their order; docs/develop/PERFORMANCE.md
constexpr double kFloorSeconds = 0.05;     ///< of a process and its system

} // namespace

StudyEstimates::StudyEstimates(const StudyStore& store) {
    for (const StoredRun& run : store.runs()) {
        if (!run.done) continue;
        const Name name(run.workload, run.scale);
        on_system_[{run.system, name}].add(run.wall_s);
        of_workload_[name].add(run.wall_s);
    }
}

const StudyEstimates::Accesses& StudyEstimates::accesses(const PointJob& job) {
    const auto [place, fresh] = accesses_.try_emplace(Name(job.workload_name, job.scale));
    Accesses& accesses = place->second;
    if (!fresh || job.workload.is_null()) return accesses;
    try {
        WorkloadOptions options;
        options.scale = job.scale;
        options.limited = false; // an upper bound is enough for the order
        for (const Launch& launch : read_workload(job.workload, Place(job.workload_path), options).launches)
            if (launch.kernel) accesses.by_launch.push_back(static_cast<double>(launch.kernel->shape().accesses));
    } catch (const ConfigError&) {
        accesses.by_launch.clear(); // its point will say what is wrong with it
    }
    accesses.all = std::accumulate(accesses.by_launch.begin(), accesses.by_launch.end(), 0.0);
    return accesses;
}

double StudyEstimates::share_before(const PointJob& job, std::uint64_t kernel) {
    const Accesses& declared = accesses(job);
    const std::vector<double>& launches = declared.by_launch;
    const auto before = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(kernel - 1, launches.size()));
    return declared.all > 0.0 ? std::accumulate(launches.begin(), launches.begin() + before, 0.0) / declared.all : 0.0;
}

TimeEstimate StudyEstimates::of(const PointJob& job) {
    const Name name(job.workload_name, job.scale);
    if (const auto found = on_system_.find({job.system_name, name}); found != on_system_.end())
        return {found->second.value(), true, true};
    if (const auto found = of_workload_.find(name); found != of_workload_.end())
        return {found->second.value(), true, true};
    const auto own = rates_.find(job.workload_name);
    const double rate = own != rates_.end() ? own->second.value()
                        : rate_.count != 0  ? rate_.value()
                                            : kSecondsPerAccess;
    return {kFloorSeconds + accesses(job).all * rate, false, rate_.count != 0};
}

void StudyEstimates::learn(const PointJob& job, const PointOutcome& outcome) {
    if (!outcome.done) return;
    const Name name(job.workload_name, job.scale);
    on_system_[{job.system_name, name}].add(outcome.wall_s);
    of_workload_[name].add(outcome.wall_s);
    const double declared = accesses(job).all;
    if (declared <= 0.0) return;
    Rate& rate = rates_[job.workload_name];
    rate.accesses += declared;
    rate.seconds += outcome.wall_s;
    rate_.add(outcome.wall_s / declared);
}

} // namespace numavp
