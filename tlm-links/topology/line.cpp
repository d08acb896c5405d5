#include "tlm-links/topology/line.h"

#include "tlm-links/topology/node_network.h"

namespace numavp {

Topology make_line(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 1, 1, "the number of routers", place);
    return make_node_grid(spec, GridWiring::line, place);
}

} // namespace numavp
