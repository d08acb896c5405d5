/// Checks whether a workload fits on a system, as far as this is known before it runs.
#pragma once

#include <cstdint>
#include <string>

#include "common/system/system_config.h"
#include "sw/work/workload.h"

namespace numavp {

/// ConfigError if a kernel fits on no SM, if settings change at a launch that the run does not have, or if the memories
/// do not hold the arrays or the host's buffers of them.
void check_fit(const SystemConfig& config, const Workload& workload);

/// ConfigError, at `place`, if the workload launches no kernel of that number.
void check_launch(const Workload& workload, std::uint64_t kernel, const std::string& place);

/// A sentence if the ranks of a collective, or of a layer, are not the sockets with SMs, one each, so that its
/// bandwidth is not that of as many GPUs: a choice of the user's, such as ranks that share a GPU. Else empty.
std::string unlike_ranks(const SystemConfig& config, const Workload& workload);

} // namespace numavp
