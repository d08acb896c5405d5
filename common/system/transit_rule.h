/// Which parts of a machine of wires pass packets on to other parts.
#pragma once

#include <vector>

#include "common/system/system_config.h"
#include "tlm-links/topology/graph/network_graph.h"

namespace numavp {

/// For each router of `graph`, which are the parts in their order. A part has a router of its own and is transit,
/// unless it hangs on something else: on a switch or PCIe tree (a part of the kind router), a part with SMs on a CPU,
/// and a CPU above a part with SMs. What the file calls transit is, whatever its wires.
std::vector<Transit> transit_of(const SystemConfig& config, const WiredParts& parts, const NetworkGraph& graph);

} // namespace numavp
