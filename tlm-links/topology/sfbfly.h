/// Sliced flattened butterfly (memory networks, section V-B): the cubes of each slice in a flattened butterfly of
/// TopologySpec::dimensions; by default one dimension up to 5 clusters, else the squarest rectangle.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_sfbfly(const TopologySpec& spec, const Place& place);

} // namespace numavp
