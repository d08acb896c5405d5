#include "tlm-links/topology/dfbfly.h"

#include "tlm-links/topology/cube_network.h"

namespace numavp {

Topology make_dfbfly(const TopologySpec& spec, const Place& place) {
    const auto grid = slices_of(GridWiring::full, GridWiring::full, cluster_rectangle(spec, place), spec);
    return make_cube_grid(spec, grid, place);
}

} // namespace numavp
