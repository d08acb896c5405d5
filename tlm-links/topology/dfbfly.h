/// Distributed flattened butterfly (memory networks, Figure 11c): the channels of sfbfly, and the cubes of each cluster
/// fully connected. Packets turn in the cluster first.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_dfbfly(const TopologySpec& spec, const Place& place);

} // namespace numavp
