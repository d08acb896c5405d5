/// Tree: TopologySpec::dimensions are the children of a router at each level, from the root; nodes are at the leaves.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_tree(const TopologySpec& spec, const Place& place);

} // namespace numavp
