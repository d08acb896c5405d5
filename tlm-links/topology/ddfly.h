/// Distributed dragonfly (memory networks, Figure 11a): the cubes of each cluster fully connected, and one channel for
/// each two clusters. No dimensions.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_ddfly(const TopologySpec& spec, const Place& place);

} // namespace numavp
