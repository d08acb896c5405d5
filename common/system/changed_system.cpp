#include "common/system/changed_system.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "common/system/assigned_settings.h"
#include "common/system/changeable_setting.h"
#include "common/system/recorded_system.h"
#include "common/words/number.h"

namespace numavp {
namespace {

/// `before` with one setting changed, of a machine that was built from `built`.
SystemConfig changed(const SystemConfig& built, const SystemConfig& before, const std::string& assignment) {
    ConfigDocument document = resolved_document(json(dump_config(before)), "");
    const std::string path = set_path(document, assignment);
    SystemConfig now = read_assigned_system(document, {path});
    const std::string setting = path.substr(2); // without "$."
    const ChangeableSetting* row = find_changeable(now, setting);
    if (row == nullptr)
        throw ConfigError(setting, fmt::format("this can't change during a run; these may: {}", changeable_paths()));
    const char* const why = row->why_not == nullptr ? nullptr : row->why_not(built, now);
    if (why != nullptr) throw ConfigError(setting, fmt::format("this change can't be made during the run: {}", why));
    return now;
}

/// The fault without the words of --set, which nobody has typed here.
std::string without_option(const std::string& what) {
    const std::string option = "--set ";
    return what.compare(0, option.size(), option) == 0 ? what.substr(option.size()) : what;
}

/// `place_of`: the place of change number i in an error.
template <class PlaceOf>
std::vector<ChangedSystem> resolved_steps(const SystemConfig& config, const PlaceOf& place_of) {
    const std::vector<SettingChange>& changes = config.changes.at;
    std::vector<std::size_t> order(changes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return changes[a].kernel < changes[b].kernel; });
    SystemConfig built = config;
    built.changes = {};
    std::vector<ChangedSystem> steps;
    for (const std::size_t i : order) {
        const SettingChange& change = changes[i];
        try {
            SystemConfig now = changed(built, steps.empty() ? built : steps.back().config, change.set);
            if (steps.empty() || steps.back().kernel != change.kernel)
                steps.push_back({change.kernel, std::move(now)});
            else
                steps.back().config = std::move(now);
        } catch (const ConfigError& fault) {
            throw ConfigError(place_of(i), without_option(fault.what()));
        }
    }
    return steps;
}

} // namespace

std::vector<ChangedSystem> changed_systems(const SystemConfig& config, const Place& place) {
    const Place list = place.at("at");
    return resolved_steps(config, [&list](std::size_t i) { return list.at(i).at("set").str(); });
}

void add_changes(SystemConfig& config, std::uint64_t kernel, const std::vector<std::string>& sets,
                 const std::string& option) {
    for (const std::string& set : sets) config.changes.at.push_back({kernel, set});
    resolved_steps(config, [&option](std::size_t) { return option; });
}

void add_change(SystemConfig& config, const std::string& change, const std::string& option) {
    const std::size_t colon = change.find(':');
    if (colon == std::string::npos)
        throw ConfigError(option, fmt::format("'{}' has no kernel; KERNEL:PATH=VALUE is expected, such as "
                                              "40:link.sample_cycles=2000",
                                              quotable(change)));
    const auto kernel = number_of<std::uint64_t>(option.c_str(), change.substr(0, colon), 1, kMostLaunches,
                                                 "the number of a kernel's launch, from 1");
    add_changes(config, kernel, {change.substr(colon + 1)}, option);
}

} // namespace numavp
