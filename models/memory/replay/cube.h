/// Replay of a stream on a memory cube, whose vaults are independent channels behind links and a crossbar.
#pragma once

#include "models/memory/replay/replay.h"

namespace numavp {

/// The stream's head enters at the next link with room, round robin, at most one per link each DRAM clock. A response
/// is seen at the first DRAM clock after its last flit; a request that waited for it is offered a clock later.
ReplayResult replay_cube(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                         const std::vector<CommandObserver*>& observers, const ArrivalTimes& arrivals);

} // namespace numavp
