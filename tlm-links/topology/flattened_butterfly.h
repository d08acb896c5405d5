/// Flattened butterfly with TopologySpec::dimensions routers in each dimension: routers that differ in one coordinate
/// are fully connected.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_flattened_butterfly(const TopologySpec& spec, const Place& place);

} // namespace numavp
