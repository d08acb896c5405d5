#include "tlm-links/topology/ring.h"

#include "tlm-links/topology/node_network.h"

namespace numavp {

Topology make_ring(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 1, 1, "the number of routers", place);
    return make_node_grid(spec, GridWiring::ring, place);
}

} // namespace numavp
