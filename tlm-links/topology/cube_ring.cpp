#include "tlm-links/topology/cube_ring.h"

#include "tlm-links/topology/cube_network.h"

namespace numavp {

Topology make_cube_ring(const TopologySpec& spec, const Place& place) {
    refuse_dimensions(spec, place);
    return make_cube_grid(spec, {{count_cubes(spec, place), GridWiring::ring}}, place);
}

} // namespace numavp
