#include "tlm-links/topology/flattened_butterfly.h"

#include "tlm-links/topology/node_network.h"

namespace numavp {

Topology make_flattened_butterfly(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 1, kMostDimensions, "the routers in each", place);
    return make_node_grid(spec, GridWiring::full, place);
}

} // namespace numavp
