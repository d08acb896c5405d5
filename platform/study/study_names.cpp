#include "platform/study/study_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/stats/stat_meter.h"
#include "platform/accesses/results_latency.h"
#include "platform/machine/slot_series.h"
#include "platform/machine/system.h"
#include "platform/study/kernel_metrics.h"
#include "platform/study/study_application.h"
#include "platform/study/study_metrics.h"
#include "platform/study/study_process.h"
#include "platform/study/study_slots.h"
#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

using Names = std::set<std::string>;

/// Every run has these.
constexpr std::array<const char*, 14> kAlways = {"cycles",
                                                 "time_ns",
                                                 "workload.footprint_bytes",
                                                 "workload.launches",
                                                 "workload.blocks",
                                                 "derived.application_ns",
                                                 "derived.copies_ns",
                                                 "derived.declared_accesses",
                                                 "derived.flushes_ns",
                                                 "derived.host_ns",
                                                 "derived.kernels_ns",
                                                 "derived.launches_ns",
                                                 "derived.outside_ns",
                                                 "derived.time_weighted_blocks"};

bool finds(const std::string& path, const Names& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return path_fits(path, name); });
}

constexpr std::string_view kStatistics = "statistics.", kByKernel = "kernels.counters.";

bool starts(const std::string& name, std::string_view head) { return name.rfind(head, 0) == 0; }

/// Of the names of a system's metrics those that a run has.
Names run_paths(Names names) {
    for (auto name = names.begin(); name != names.end();)
        name = starts(*name, kByKernel) ? names.erase(name) : std::next(name);
    return names;
}

/// Of the names of a system's metrics those that a kernel has: counters that add up over kernels, and ratios as
/// figures.
Names kernel_paths(const Names& names) {
    Names paths;
    for (const std::string& name : names) {
        if (starts(name, kByKernel)) paths.insert(std::string(kStatistics) + name.substr(kByKernel.size()));
        if (!starts(name, "ratios.")) continue;
        paths.insert(Ratio{name.substr(std::string("ratios.").size()), {}, {}, "", ""}.figure());
    }
    return paths;
}

/// Builds the system in a child process; nothing if that fails.
Names names_of(const ordered_json& system) {
    constexpr double kPatienceSeconds = 120.0;
    constexpr int kLookMilliseconds = 1000;
    PointJob job;
    job.system = system;
    job.system_name = system.value("name", "");
    job.time_limit_s = kPatienceSeconds;
    job.names_only = true;
    LocalWorkers worker(1);
    worker.start(0, job);
    for (;;) {
        for (const PointWorkers::Ended& ended : worker.wait(kLookMilliseconds)) {
            if (!ended.outcome.done) return {};
            return ordered_json::parse(ended.outcome.results).get<Names>();
        }
    }
}

/// "statistics.socket3.l2.hits" as "statistics.socket*.l2.hits".
std::string with_star(std::string name) {
    const std::size_t socket = name.find(".socket");
    if (socket == std::string::npos) return name;
    const std::size_t digits = socket + std::string(".socket").size();
    return name.replace(digits, name.find('.', digits) - digits, "*");
}

/// Up to three names, with * for an index if the path has one.
std::string nearest_of(const std::string& path, const Names& names) {
    constexpr std::size_t kMost = 3;
    const bool starred = path.find('*') != std::string::npos;
    Names shown;
    for (const std::string& name : names) shown.insert(starred ? with_star(name) : name);
    std::vector<std::string_view> known(shown.begin(), shown.end());
    std::vector<std::string> found;
    while (found.size() < kMost) {
        const std::string best = nearest_name(path, known);
        if (best.empty()) break;
        found.push_back(best);
        known.erase(std::remove(known.begin(), known.end(), std::string_view(best)), known.end());
    }
    if (found.empty()) return "";
    return fmt::format(", the nearest {} '{}'", found.size() == 1 ? "is" : "are", fmt::join(found, "', '"));
}

class PathCheck {
  public:
    explicit PathCheck(const StudyPlanner& planner) : planner_(planner) {}

    void figure(std::size_t index) {
        const StudyFigure& figure = planner_.study().figures[index];
        for (std::size_t m = 0; m < figure.file.metrics.size(); ++m) {
            const StudyMetric& metric = figure.file.metrics[m];
            const Place place = Place(figure.path).at("metrics").at(m);
            if (!metric.kernel.empty()) kernel(index, metric.kernel, place.at("kernel"));
            const bool of_kernel = !metric.kernel.empty();
            path(index, metric.path, of_kernel, place.at("path"));
            if (!metric.per.empty()) path(index, metric.per, of_kernel, place.at("per"));
            if (!metric.baseline_path.empty()) path(index, metric.baseline_path, of_kernel, place.at("baseline_path"));
        }
    }

  private:
    /// A kernel that no workload of the figure has; traces are not read for it.
    void kernel(std::size_t figure, const std::string& name, const Place& place) const {
        Names known;
        for (const auto& job : planner_.workloads(figure)) {
            if (job->workload.is_null()) return;
            WorkloadOptions options;
            options.scale = job->scale;
            for (const Launch& launch : read_workload(job->workload, Place(job->workload_path), options).launches)
                if (launch.kernel) known.insert(launch.kernel->shape().name);
        }
        if (known.count(name) == 0)
            throw ConfigError(place, unknown_name("kernel", name, {known.begin(), known.end()}));
    }

    void path(std::size_t figure, const std::string& path, bool of_kernel, const Place& place) {
        const Names always = of_kernel ? Names(plain_kernel_paths().begin(), plain_kernel_paths().end())
                                       : Names(kAlways.begin(), kAlways.end());
        if (finds(path, always)) return;
        Names all = always;
        bool sure = true;
        for (const ordered_json& system : planner_.systems(figure)) {
            const Names names = of_kernel ? kernel_paths(of(system)) : run_paths(of(system));
            if (finds(path, names)) return;
            sure = sure && !names.empty();
            all.insert(names.begin(), names.end());
        }
        if (!sure) return;
        throw ConfigError(place, fmt::format("no run of this figure has '{}'{}{}; {}", quotable(path),
                                             of_kernel ? " by kernel" : "", nearest_of(path, all),
                                             of_kernel ? "a figure or a counter by kernel is expected "
                                                         "(docs/use/STUDIES.md)"
                                                       : "a path in results.json is expected (docs/use/RESULTS.md), "
                                                         "'workload.' or 'derived.' (docs/use/STUDIES.md)"));
    }
    const Names& of(const ordered_json& system) {
        const std::string text = system.dump();
        const auto known = names_.find(text);
        return known != names_.end() ? known->second : names_.emplace(text, names_of(system)).first->second;
    }

    const StudyPlanner& planner_;
    std::map<std::string, Names> names_; ///< by system
};

} // namespace

std::set<std::string> names_of_metrics(const SystemConfig& config) {
    const Workload nothing;
    const System system(config, nothing);
    std::vector<std::pair<std::string, ordered_json>> statistics;
    flatten(system.stats().values(), "statistics", statistics);
    Names names(kAlways.begin(), kAlways.end());
    for (const auto& [name, value] : statistics) names.insert(name);
    const StatMeter meter(system.stats());
    for (const std::string& path : meter.count_paths()) names.insert(std::string(kByKernel) + path);
    const ordered_json beside = {{"slots", system.slots().json()}, {"access_latency", access_latency_json(system)}};
    for (const auto& [name, value] : slot_metrics(beside)) names.insert(name);
    for (const auto& [pattern, owned] : system.stats().ratios()) {
        names.insert("ratios." + owned.ratio.name);
        for (const std::string& owner : owned.owners)
            if (!owner.empty()) names.insert("ratios." + owner + "." + owned.ratio.name);
    }
    const std::vector<std::string> directions = link_directions(system.series().json());
    for (const std::string& direction : directions)
        for (const char* const head : {"derived.", "derived.application."})
            names.insert(head + direction + "_saturated");
    if (!directions.empty()) {
        names.insert("derived.application_link_bytes");
        if (names.count("statistics.system.link_energy_pj") != 0) names.insert("derived.application_link_energy_pj");
    }
    return names;
}

void check_metric_paths(const StudyPlanner& planner) {
    PathCheck check(planner);
    for (std::size_t i = 0; i < planner.study().figures.size(); ++i) check.figure(i);
}

} // namespace numavp
