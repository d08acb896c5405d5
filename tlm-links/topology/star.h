/// Star: router 0 is a hub without nodes, TopologySpec::dimensions the number of routers around it. By default there is
/// one router alone, with all nodes.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_star(const TopologySpec& spec, const Place& place);

} // namespace numavp
