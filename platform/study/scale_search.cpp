#include "platform/study/scale_search.h"

#include <cmath>

#include <fmt/format.h>

#include "base/config/config.h"

namespace numavp {
namespace {

constexpr double kMostSeconds = 1e6; ///< of a run: no limit of its own

PointJob job_of_scale(const SystemConfig& system, const NamedWorkload& workload, double scale) {
    PointJob job;
    job.system_name = system.name;
    job.workload_name = workload.record.name;
    job.system = dump_config(system);
    job.workload_path = workload.path;
    job.workload = workload.source;
    job.scale = scale;
    job.seed = workload.record.seed;
    job.time_limit_s = kMostSeconds;
    return job;
}

struct Measured {
    double ns = 0.0, ipc = 0.0;
};

Measured measured(const PointOutcome& outcome, const PointJob& job) {
    if (!outcome.done)
        throw ConfigError("--scale auto", fmt::format("{} on {} at scale {:g} failed: {}", job.workload_name,
                                                      job.system_name, job.scale, outcome.message));
    const ordered_json results = ordered_json::parse(outcome.results);
    const auto cycles = results.at("cycles").get<double>();
    const auto issued = results.at("statistics").at("system").at("warp_instructions").get<double>();
    return {results.at("time_ns").get<double>(), cycles > 0.0 ? issued / cycles : 0.0};
}

/// The outcomes of some jobs, in their order.
std::vector<Measured> run_jobs(const std::vector<PointJob>& jobs, PointWorkers& workers,
                               const std::function<void()>& check) {
    constexpr int kPatienceMs = 200;
    std::vector<Measured> values(jobs.size());
    std::vector<std::size_t> job_in(workers.slots());
    std::vector<bool> busy(workers.slots(), false);
    std::size_t begun = 0, ended = 0;
    while (ended < jobs.size()) {
        for (std::size_t slot = 0; slot < busy.size() && begun < jobs.size(); ++slot) {
            if (busy[slot]) continue;
            job_in[slot] = begun;
            busy[slot] = true;
            workers.start(slot, jobs[begun++]);
        }
        check();
        for (const PointWorkers::Ended& one : workers.wait(kPatienceMs)) {
            busy[one.slot] = false;
            values[job_in[one.slot]] = measured(one.outcome, jobs[job_in[one.slot]]);
            ++ended;
        }
    }
    return values;
}

} // namespace

std::optional<double> settled_scale(const std::vector<ScaleStep>& steps, double bound) {
    const auto near = [&](std::size_t a, std::size_t b) {
        return steps[b].speed > 0.0 && std::abs(steps[a].speed / steps[b].speed - 1.0) <= bound;
    };
    const bool whole = !steps.empty() && steps.back().scale == kScaleLadder.back();
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        if (i + 2 < steps.size() ? near(i, i + 1) && near(i, i + 2) : whole && near(i, i + 1)) return steps[i].scale;
    }
    return std::nullopt;
}

FoundScale find_scale(const ScaleQuestion& question, PointWorkers& workers,
                      const std::function<void(const ScaleStep&)>& step, const std::function<void()>& check) {
    if (question.workload.source.is_null())
        throw ConfigError("--scale",
                          "a trace is what it is: it has one size; leave --scale out, or name another workload");
    FoundScale found;
    for (const double scale : kScaleLadder) {
        std::vector<PointJob> jobs = {job_of_scale(question.system, question.workload, scale)};
        if (question.over) jobs.push_back(job_of_scale(*question.over, question.workload, scale));
        const std::vector<Measured> values = run_jobs(jobs, workers, check);
        found.steps.push_back({scale, question.over ? values[1].ns / values[0].ns : values[0].ipc});
        step(found.steps.back());
        found.settled = settled_scale(found.steps, question.bound);
        if (found.settled) break;
    }
    return found;
}

std::string scale_text(const FoundScale& found, const ScaleQuestion& question) {
    const std::string what =
        question.over ? "speedup over " + question.over->name : std::string("warp instructions a cycle");
    std::string text = fmt::format("scale {:g}: ", found.scale());
    for (std::size_t i = 0; i < found.steps.size(); ++i)
        text += fmt::format("{}{:.3g} at {:g}", i == 0 ? what + " " : ", ", found.steps[i].speed, found.steps[i].scale);
    const double percent = 100.0 * question.bound;
    return text + (found.settled ? fmt::format("; within {:g} % of the larger ones\n", percent)
                                 : fmt::format("; no smaller scale is within {:g} % of full size\n", percent));
}

} // namespace numavp
