/// Sliced mesh (memory networks, section VI-C): the cubes of each slice in a mesh of TopologySpec::dimensions; by
/// default the squarest rectangle, or a line if there is none.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_smesh(const TopologySpec& spec, const Place& place);

} // namespace numavp
