#include "tlm-links/topology/torus.h"

#include "tlm-links/topology/node_network.h"

namespace numavp {

Topology make_torus(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 1, kMostDimensions, "the routers in each", place);
    return make_node_grid(spec, GridWiring::ring, place);
}

} // namespace numavp
