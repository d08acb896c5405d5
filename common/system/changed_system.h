/// The settings of a system after its changes at launches of kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/system/system_config.h"

namespace numavp {

/// What holds from the launch of a kernel on.
struct ChangedSystem {
    std::uint64_t kernel = 1;
    SystemConfig config; ///< without `changes`
};

/// One for each launch at which settings change, ascending. ConfigError, at `place`, for a change that is no
/// assignment, that gives no sound system or changes nothing, or whose setting may not change during a run.
std::vector<ChangedSystem> changed_systems(const SystemConfig& config, const Place& place);

/// Adds "40:link.sample_cycles=2000" to the changes of `config`. ConfigError, at `option`, as of changed_systems().
void add_change(SystemConfig& config, const std::string& change, const std::string& option);
/// The same of several assignments at one launch.
void add_changes(SystemConfig& config, std::uint64_t kernel, const std::vector<std::string>& sets,
                 const std::string& option);

} // namespace numavp
