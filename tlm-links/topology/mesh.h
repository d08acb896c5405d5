/// Mesh with TopologySpec::dimensions routers in each dimension.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_mesh(const TopologySpec& spec, const Place& place);

} // namespace numavp
