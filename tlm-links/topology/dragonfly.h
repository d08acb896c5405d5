/// Dragonfly: TopologySpec::dimensions are the routers of a group and the groups; the routers of a group are fully
/// connected, and there is one channel for each two groups.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_dragonfly(const TopologySpec& spec, const Place& place);

} // namespace numavp
