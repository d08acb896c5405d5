/// Routers in a ring, TopologySpec::dimensions their number. Two have one channel.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_ring(const TopologySpec& spec, const Place& place);

} // namespace numavp
