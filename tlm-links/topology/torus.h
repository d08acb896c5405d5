/// Torus with TopologySpec::dimensions routers in each dimension. Two in a dimension have one channel.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_torus(const TopologySpec& spec, const Place& place);

} // namespace numavp
