/// Replay of a stream on a memory cube: vaults that are channels of their own, behind links and a crossbar.
#pragma once

#include "models/memory/replay.h"

namespace numavp {

/// The stream's head enters at the next link with room, round robin, one a link each DRAM clock. A response is seen at
/// the first DRAM clock after its last flit; what waited for it is offered in the next one.
ReplayResult replay_cube(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                         const std::vector<CommandObserver*>& observers);

} // namespace numavp
