#include "tlm-links/topology/tree.h"

#include "tlm-links/topology/node_network.h"
#include "tlm-links/topology/rooted_tree.h"

namespace numavp {

Topology make_tree(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 1, kMostDimensions, "the children of a router at each level, from the root", place);
    return make_rooted_tree(spec, place);
}

} // namespace numavp
