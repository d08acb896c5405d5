/// Unified memory of an application on a machine: what the driver moves, copies and evicts before each step.
#pragma once

#include <cstdint>
#include <vector>

#include "models/appgraph/app_graph.h"
#include "models/base/config_place.h"
#include "platform/characterize/host_machine.h"

namespace numavp {

enum class UnifiedWay : std::uint8_t {
    none,     ///< a step of the application
    demand,   ///< pages that move, or are copied, since the step behind faults
    prefetch, ///< the same by a prefetch
    evict     ///< pages that make room
};

/// Bytes that a step accesses where they lie.
struct RemoteAccess {
    AppPlace at;
    bool writes = false;
    std::uint64_t bytes = 0;
};

/// What a step does with unified memory.
struct UnifiedStep {
    UnifiedWay way = UnifiedWay::none;
    AppPlace from, to; ///< of a move
    std::uint64_t bytes = 0;
    std::vector<RemoteAccess> remote; ///< of a kernel or host step
};

/// A graph with a step for each move, in front of the step that needs it and in its stream. It reads the value and
/// writes none; who must wait for it names it in `after`.
struct UnifiedGraph {
    AppGraph graph;
    std::vector<UnifiedStep> steps; ///< of each step of the graph
};

/// Runs the driver (sw/driver/unified_memory.h) over the steps in `order()`. Values take room from the step that writes
/// them to the last that reads them; given ones from the beginning. Copies take a value in unified memory where the
/// file says that it is. ConfigError, at the value in `place`, if a GPU's memory is too small for what is not unified,
/// or if more than 1 TiB is unified.
UnifiedGraph unified_moves(const AppGraph& graph, const HostMachine& machine, const Place& place);

} // namespace numavp
