#include "platform/study/study_beginnings.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "platform/results/run_key.h"

namespace numavp {
namespace {

using ChangeAt = std::pair<std::uint64_t, std::string>; ///< launch, and the setting's assignment

/// A point with its changes in the order in which they are made.
struct ChangingPoint {
    std::shared_ptr<const PointJob> job;
    std::vector<ChangeAt> changes;
};

std::vector<ChangeAt> changes_of_system(const ordered_json& system) {
    std::vector<ChangeAt> changes;
    if (!system.contains("changes")) return changes;
    for (const ordered_json& one : system.at("changes").at("at"))
        changes.emplace_back(one.at("kernel").get<std::uint64_t>(), one.at("set").get<std::string>());
    std::stable_sort(changes.begin(), changes.end(),
                     [](const ChangeAt& a, const ChangeAt& b) { return a.first < b.first; });
    return changes;
}

/// All that a point's run depends on but the changes, and the time that it may take.
std::string text_without_changes(const PointJob& job) {
    ordered_json system = job.system;
    system.erase("changes");
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", canonical_system(std::move(system)), job.workload_path,
                       job.workload.dump(), job.scale, job.seed ? std::to_string(*job.seed) : "none", job.time_limit_s);
}

/// The launch at which the changes of the points begin to differ; none if they don't.
std::optional<std::uint64_t> parting(const std::vector<ChangingPoint>& points) {
    constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
    const std::vector<ChangeAt>& first = points.front().changes;
    std::uint64_t kernel = kNever;
    for (const ChangingPoint& point : points) {
        const auto [a, b] = std::mismatch(first.begin(), first.end(), point.changes.begin(), point.changes.end());
        if (a != first.end()) kernel = std::min(kernel, a->first);
        if (b != point.changes.end()) kernel = std::min(kernel, b->first);
    }
    return kernel == kNever ? std::nullopt : std::optional(kernel);
}

struct Sharing {
    std::vector<SharedBeginning> groups;
    std::uint64_t spared = 0; ///< launches that are not simulated again
};

/// Of points that differ in their changes alone: all together from where they part first, or those that go on alike
/// from there in groups that part later.
Sharing best_sharing(const std::vector<ChangingPoint>& points) {
    const std::optional<std::uint64_t> kernel = points.size() < 2 ? std::nullopt : parting(points);
    if (!kernel) return {};
    Sharing together;
    together.spared = (points.size() - 1) * (*kernel - 1);
    if (*kernel > 1) together.groups.push_back({*kernel, {}});
    std::map<std::vector<ChangeAt>, std::vector<ChangingPoint>> alike;
    for (const ChangingPoint& point : points) {
        if (*kernel > 1) together.groups.back().points.push_back(point.job);
        std::vector<ChangeAt> made;
        std::copy_if(point.changes.begin(), point.changes.end(), std::back_inserter(made),
                     [&](const ChangeAt& change) { return change.first == *kernel; });
        alike[made].push_back(point);
    }
    Sharing apart;
    for (const auto& [made, some] : alike) {
        Sharing part = best_sharing(some);
        apart.spared += part.spared;
        std::move(part.groups.begin(), part.groups.end(), std::back_inserter(apart.groups));
    }
    return apart.spared > together.spared ? apart : together;
}

} // namespace

std::vector<SharedBeginning> shared_beginnings(const std::vector<std::shared_ptr<const PointJob>>& points) {
    // Studies without changes, which are most, are not compared.
    if (std::none_of(points.begin(), points.end(), [](const auto& job) { return job->system.contains("changes"); }))
        return {};
    std::map<std::string, std::vector<ChangingPoint>> alike;
    std::vector<std::string> order; // of the plan
    for (const auto& job : points) {
        const std::string text = content_key(text_without_changes(*job));
        std::vector<ChangingPoint>& some = alike[text];
        if (some.empty()) order.push_back(text);
        some.push_back({job, changes_of_system(job->system)});
    }
    std::vector<SharedBeginning> all;
    for (const std::string& text : order) {
        Sharing sharing = best_sharing(alike.at(text));
        std::move(sharing.groups.begin(), sharing.groups.end(), std::back_inserter(all));
    }
    return all;
}

std::string beginning_text(const SharedBeginning& beginning) {
    ordered_json points = ordered_json::array();
    for (const auto& job : beginning.points) points.push_back(job_text(*job));
    return ordered_json{{"kernel", beginning.kernel}, {"points", points}}.dump();
}

SharedBeginning beginning_of(const std::string& text) {
    const ordered_json value = ordered_json::parse(text);
    SharedBeginning beginning{value.at("kernel"), {}};
    for (const ordered_json& job : value.at("points"))
        beginning.points.push_back(std::make_shared<PointJob>(job_of(job.get<std::string>())));
    return beginning;
}

} // namespace numavp
