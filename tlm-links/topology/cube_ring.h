/// All cubes in one ring, in the order of their numbers (memory networks, Figure 9). No dimensions.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_cube_ring(const TopologySpec& spec, const Place& place);

} // namespace numavp
