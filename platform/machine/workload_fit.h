/// Checks whether a workload fits on a system, as far as this is known before it runs.
#pragma once

#include "common/system/system_config.h"
#include "sw/work/workload.h"

namespace numavp {

/// ConfigError if a kernel fits on no SM, or if the memories do not hold the arrays or the host's buffers of them.
void check_fit(const SystemConfig& config, const Workload& workload);

} // namespace numavp
