/// Sliced torus (memory networks, section VI-C): the cubes of each slice in a torus of TopologySpec::dimensions; by
/// default a ring up to 5 clusters, else the squarest rectangle. Two in a dimension have one channel.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_storus(const TopologySpec& spec, const Place& place);

} // namespace numavp
