#include "tlm-links/topology/sfbfly.h"

#include "tlm-links/topology/cube_network.h"

namespace numavp {

Topology make_sfbfly(const TopologySpec& spec, const Place& place) {
    const auto grid = slices_of(GridWiring::apart, GridWiring::full, cluster_rectangle(spec, place), spec);
    return make_cube_grid(spec, grid, place);
}

} // namespace numavp
