#include "platform/study/study_scales.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "platform/results/run_key.h"

namespace numavp {
namespace {

using Keys = std::set<std::string>;

/// Points that have run at a scale. Traces have none: theirs say nothing.
Keys keys_that_ran(const Study& study, const StudyStore& store, const std::string& scale) {
    Keys ran;
    for (const auto& job : StudyPlanner(study, scale).plan(store).points)
        if (!job->workload.is_null() && store.state(job->key) != PointState::missing) ran.insert(job->key);
    return ran;
}

bool contains(const Keys& all, const Keys& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

} // namespace

std::vector<std::string> scales_in(const Study& study, const StudyStore& store) {
    std::set<double> numbers;
    for (const StoredRun& run : store.runs())
        if (run.version == model_version()) numbers.insert(run.scale);
    std::vector<std::string> asked = {"own", "small"};
    for (const double number : numbers) asked.push_back(fmt::format("{}", number));

    // A figure's own scale is another number in one beside it, which may not be shown.
    const Keys own = keys_that_ran(load_study(study.path), store, "own");
    std::vector<std::pair<std::string, Keys>> found; // none of which is part of another
    for (const std::string& scale : asked) {
        Keys keys = keys_that_ran(study, store, scale);
        const auto known = [&](const auto& other) { return contains(other.second, keys); };
        if (keys.empty() || std::any_of(found.begin(), found.end(), known)) continue;
        if (scale != "own" && contains(own, keys)) continue;
        const auto part = [&](const auto& other) { return contains(keys, other.second); };
        found.erase(std::remove_if(found.begin(), found.end(), part), found.end());
        found.emplace_back(scale, std::move(keys));
    }
    std::vector<std::string> scales;
    for (const auto& [scale, keys] : found) scales.push_back(scale);
    return scales;
}

std::string scale_to_show(const Study& study, const StudyStore& store, const std::string& asked) {
    if (!asked.empty()) return asked;
    const std::vector<std::string> scales = scales_in(study, store);
    if (scales.size() > 1)
        throw ConfigError("results file " + store.database().path(),
                          fmt::format("it has runs of this study at several scales; --scale with one of '{}' is "
                                      "expected",
                                      fmt::join(scales, "', '")));
    return scales.empty() ? "own" : scales[0];
}

std::string scale_of_status(const Study& study, const StudyStore& store, const std::string& asked,
                            std::vector<std::string>& others) {
    others = scales_in(study, store);
    std::string shown = !asked.empty() ? asked : others.size() == 1 ? others[0] : "own";
    others.erase(std::remove(others.begin(), others.end(), shown), others.end());
    return shown;
}

} // namespace numavp
