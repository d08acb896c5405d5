/// Unified memory of an application on a machine: the driver's moves, copies and evictions before each step.
#pragma once

#include <cstdint>
#include <vector>

#include "base/config/config_place.h"
#include "communication/characterize/host_machine.h"
#include "communication/graph/app_graph.h"

namespace numavp {

enum class UnifiedWay : std::uint8_t {
    none,     ///< a step of the application
    demand,   ///< pages that move, or are copied, since the step behind faults
    prefetch, ///< the same by a prefetch
    evict     ///< pages that make room
};

/// Bytes that a step accesses in place, in the memory of another part.
struct RemoteAccess {
    AppPlace at;
    bool writes = false;
    std::uint64_t bytes = 0;
};

/// Effect of a step on unified memory.
struct UnifiedStep {
    UnifiedWay way = UnifiedWay::none;
    AppPlace from, to; ///< of a move
    std::uint64_t bytes = 0;
    std::vector<RemoteAccess> remote; ///< of a kernel or host step
    double nap_ns = 0;                ///< that its fault waits first, since pages went to and fro
};

/// A graph with an extra step for each move, in front of the step that needs it and in the same stream. A move reads
/// the value and writes none; steps that must wait for it name it in `after`.
struct UnifiedGraph {
    AppGraph graph;
    std::vector<UnifiedStep> steps; ///< of each step of the graph
};

/// Runs the driver's policy (sw/driver/unified_memory.h) over the steps in `order()`. A value takes room from the step
/// that writes it (a given one from the beginning) to the last that reads it. A copy reads a value in unified memory at
/// the place in the file. ConfigError, at the value in `place`, if a GPU's memory is too small for the values that are
/// not unified, or if more than 1 TiB is unified.
UnifiedGraph unified_moves(const AppGraph& graph, const HostMachine& machine, const Place& place);

} // namespace numavp
