#include "platform/study/study_estimates.h"

#include "platform/study/study_worker.h"
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

double StudyEstimates::accesses(const PointJob& job) {
    const Name name(job.workload_name, job.scale);
    const auto known = accesses_.find(name);
    if (known != accesses_.end()) return known->second;
    double sum = 0.0;
    if (!job.workload.is_null()) {
        try {
            WorkloadOptions options;
            options.scale = job.scale;
            options.limited = false; // an upper bound is enough for the order
            sum =
                static_cast<double>(declared_accesses(read_workload(job.workload, Place(job.workload_path), options)));
        } catch (const ConfigError&) {
            sum = 0.0; // its point will say what is wrong with it
        }
    }
    return accesses_[name] = sum;
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
    return {kFloorSeconds + accesses(job) * rate, false, rate_.count != 0};
}

void StudyEstimates::learn(const PointJob& job, const PointOutcome& outcome) {
    if (!outcome.done) return;
    const Name name(job.workload_name, job.scale);
    on_system_[{job.system_name, name}].add(outcome.wall_s);
    of_workload_[name].add(outcome.wall_s);
    const double declared = accesses(job);
    if (declared <= 0.0) return;
    Rate& rate = rates_[job.workload_name];
    rate.accesses += declared;
    rate.seconds += outcome.wall_s;
    rate_.add(outcome.wall_s / declared);
}

} // namespace numavp
