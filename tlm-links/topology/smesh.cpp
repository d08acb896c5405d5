#include "tlm-links/topology/smesh.h"

#include "tlm-links/topology/cube_network.h"

namespace numavp {

Topology make_smesh(const TopologySpec& spec, const Place& place) {
    constexpr unsigned kOneRow = 3; // of four the paper makes 2 x 2
    const auto grid = slices_of(GridWiring::apart, GridWiring::line, cluster_dimensions(spec, kOneRow, place), spec);
    return make_cube_grid(spec, grid, place);
}

} // namespace numavp
