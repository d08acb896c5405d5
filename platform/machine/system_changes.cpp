/// Changes of settings at launches of kernels, and the point at which a run goes on in several processes.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/time/team.h"
#include "common/system/derived.h"
#include "common/system/memory_choice.h"
#include "platform/machine/system_impl.h"

namespace numavp {

bool System::Impl::changes_at(std::uint64_t kernel) const {
    const std::optional<BranchPoint>& branch = resources.options.branch;
    return (branch && branch->kernel == kernel) ||
           std::any_of(changes.begin(), changes.end(), [kernel](const auto& one) { return one.kernel == kernel; });
}

/// Between the edge of the launches and the next one. What starts with a kernel that runs alone (lanes, ways, epochs)
/// is started here, with the settings that hold from now on.
void System::Impl::cross_boundaries() {
    bool alone = false;
    for (const Boundary& boundary : std::exchange(boundaries, {})) {
        alone |= boundary.alone;
        if (const auto& branch = resources.options.branch; branch && branch->kernel == boundary.kernel) {
            begin_branch(*branch);
        }
        for (const ChangedSystem& step : changes)
            if (step.kernel == boundary.kernel) change(boundary.kernel, step.config);
    }
    if (alone) launch_parts();
    clockwork.poke(); // what has been woken between the edges
}

void System::Impl::begin_branch(const BranchPoint& branch) {
    if (branch.last > branch.kernel && last_launch > branch.kernel)
        throw ConfigError("branch", fmt::format("launch {} of a kernel came before launch {}, and settings change at "
                                                "launch {} in some branch, which may be too late; a whole run is "
                                                "allowed",
                                                last_launch, branch.kernel, branch.last));
    Team::join_all();
    SystemConfig own = branch.begin();
    config.name = std::move(own.name);
    config.description = std::move(own.description);
    config.changes = std::move(own.changes);
    changes = changed_systems(config, Place(config.name, "$.changes"));
}

void System::Impl::change(std::uint64_t kernel, const SystemConfig& now) {
    for (const SettingChange& one : config.changes.at)
        if (one.kernel == kernel) timeline.push_back({domain.now(), domain.now(), -1, "change", one.set});
    for (const auto& part : built.all) part->change(now);
    dispatcher.change(dispatch_config(now));
    if (replication) replication->change(now.replication);
    const PlacementConfig before = std::exchange(placed, now.placement);
    if (placed.policy != before.policy || placed.lab_percent != before.lab_percent || placed.seed != before.seed)
        placement.replace(system_placement(now, workload));
}

} // namespace numavp
