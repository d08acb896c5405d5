#include "tlm-links/topology/mesh.h"

#include "tlm-links/topology/node_network.h"

namespace numavp {

Topology make_mesh(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 1, kMostDimensions, "the routers in each", place);
    return make_node_grid(spec, GridWiring::line, place);
}

} // namespace numavp
