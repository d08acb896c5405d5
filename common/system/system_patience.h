/// Time in which a machine may show no progress although nothing is stuck.
#pragma once

#include "base/values/types.h"
#include "common/system/system_config.h"

namespace numavp {

/// Bound on the core cycles of one access of the idle machine, with the launch and the page fault that may come before
/// it: the sum of what its modules state (`idle_cycles` of their configurations).
Cycle idle_cycles(const SystemConfig& config);

} // namespace numavp
