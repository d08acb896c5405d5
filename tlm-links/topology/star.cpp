#include "tlm-links/topology/star.h"

#include "tlm-links/topology/node_network.h"
#include "tlm-links/topology/rooted_tree.h"

namespace numavp {

Topology make_star(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 0, 1, "the routers around the hub", place);
    return make_rooted_tree(spec, place);
}

} // namespace numavp
