/// Settings that may change during a run, at the launch of a kernel: policies, their thresholds and sample times.
///
/// Everything else is built into the machine. A row here needs a module that takes the new value while it runs: the
/// function `change` of the module that has the setting, called between edges by MachinePart::change
/// (platform/machine/machine_part.h). tests/platform/machine/changes_test.cpp checks for each row that a change at the
/// first launch gives the results of a run with that value from the start.
#pragma once

#include <string>
#include <vector>

#include "common/system/system_config.h"

namespace numavp {

struct ChangeableSetting {
    const char* path; ///< "link.sample_cycles"; of a socket's settings that of all sockets
    /// Why a machine that was built from `built` can't go over to `now`, or null if it can; null: it always can.
    const char* (*why_not)(const SystemConfig& built, const SystemConfig& now);
};

/// All of them, in the order of the settings.
const std::vector<ChangeableSetting>& changeable_settings();
/// The row of a path such as "link.sample_cycles" or "gpu[2].partition.controller"; null if
/// that may not change. `config`: the system that names the sockets.
const ChangeableSetting* find_changeable(const SystemConfig& config, const std::string& path);
/// Paths of all of them, with commas.
std::string changeable_paths();

} // namespace numavp
