/// Checks the setting checks.stuck_cycles against the latencies of an idle system.
#pragma once

#include "common/system/system_config.h"

namespace numavp {

/// ConfigError at `place` if a single access of an idle system could look like a run that is stuck.
void check_patience(const SystemConfig& config, const Place& place);

} // namespace numavp
