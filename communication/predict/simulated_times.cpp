#include "communication/predict/simulated_times.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/values/error.h"
#include "communication/records/run_times.h"

namespace numavp {

namespace {

/// "add" of "add 2": the number that keeps names of steps apart.
std::string without_number(const std::string& name) {
    const std::size_t blank = name.rfind(' ');
    if (blank == std::string::npos || blank + 1 == name.size()) return name;
    const bool digits = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(blank) + 1, name.end(),
                                    [](unsigned char c) { return c >= '0' && c <= '9'; });
    return digits ? name.substr(0, blank) : name;
}

double time_of_step(const RunTimes& run, const AppStep& step) {
    if (!step.kernel.empty()) return run.of(step.kernel);
    const double own = run.of(step.name);
    return own >= 0 ? own : run.of(without_number(step.name));
}

std::string list_of(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 8;
    std::string text;
    for (std::size_t n = 0; n < std::min(names.size(), kShown); ++n)
        text += fmt::format("{}{}", n == 0 ? "" : ", ", quotable(names[n]));
    return names.size() > kShown ? fmt::format("{} and {} more", text, names.size() - kShown) : text;
}

/// What makes the run's GPU another one than the machine's.
void note_gpus(const RunTimes& run, const HostMachine& machine, std::vector<std::string>& notes) {
    constexpr double kSame = 0.005; // files round bandwidths
    if (run.gpus() > 1)
        notes.push_back(fmt::format("{}: the run of {} had {} GPUs, over which each kernel spread; a kernel of a graph "
                                    "runs on one",
                                    run.path(), run.system(), run.gpus()));
    const double there = run.memory_gbytes_per_s(), here = machine.gpu_memory_gbytes_per_s(0);
    if (there > 0 && std::abs(there / here - 1) > kSame)
        notes.push_back(
            fmt::format("{}: the memory of the GPU of {} has {:g} GB/s, that of {} {:g}: its times are those "
                        "of another GPU",
                        run.path(), run.system(), there, machine.name(), here));
}

} // namespace

std::vector<std::string> use_simulated_times(AppGraph& graph, const std::vector<std::string>& results,
                                             const HostMachine& machine) {
    std::vector<std::string> notes;
    if (results.empty()) return notes;
    std::vector<RunTimes> runs;
    for (const std::string& path : results) {
        runs.emplace_back(path);
        note_gpus(runs.back(), machine, notes);
    }
    std::vector<bool> used(runs.size(), false);
    std::vector<std::string> without;
    for (AppStep& step : graph.steps) {
        if (step.kind != AppStepKind::kernel) continue;
        bool found = false;
        for (std::size_t r = 0; r < runs.size(); ++r) {
            const double us = time_of_step(runs[r], step);
            if (us < 0) continue;
            used[r] = true;
            if (found) continue;
            found = true;
            step.time = {us, 0, true};
            step.time_on.clear();
        }
        if (!found) without.push_back(step.name);
    }
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (!used[r])
            throw ConfigError(runs[r].path(), fmt::format("it has none of the kernels of {}; its own are {}",
                                                          quotable(graph.name), list_of(runs[r].names())));
    if (!runs.empty() && !without.empty())
        notes.push_back(fmt::format("no run has the kernel{} {}: the graph's time is taken",
                                    without.size() == 1 ? "" : "s", list_of(without)));
    return notes;
}

} // namespace numavp
