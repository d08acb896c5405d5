/// Common parts of all networks of memory cubes: routers, endpoints, terminals. Cube h = routers_per_processor *
/// cluster + slice is router `cube[h]` and endpoint `cube[h]`; processor g is endpoint `gpu[g]`, without a router, with
/// terminals at the cubes of cluster g.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm-links/topology/grid.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

/// The number of cubes; ConfigError if it exceeds the limits of a network.
unsigned count_cubes(const TopologySpec& spec, const Place& place);

/// Routers, endpoints and terminals, without channels between routers: first the processors' terminals, in order of
/// processor, cube and channel, then the cubes'. `pairs` is the number of channels that will be added, both directions
/// as one, parallel ones as one. ConfigError if the network is too large.
NetworkGraph cubes_without_channels(const TopologySpec& spec, std::uint64_t pairs, const Place& place);

/// Cubes on the grid of (slice, coordinates of the cluster), with dimension-order routing.
Topology make_cube_grid(const TopologySpec& spec, const std::vector<GridDimension>& grid, const Place& place);

/// All cubes in one ring, in the order of their numbers.
Topology make_cube_ring(const TopologySpec& spec, const Place& place);

/// Grid of clusters for slices that are meshes: TopologySpec::dimensions, whose product must be the number of
/// processors; if empty, a line of up to 3 (of four the paper makes 2 x 2), else the squarest rectangle a x b with a >
/// 1, or {processors} if there is none.
std::vector<unsigned> cluster_mesh(const TopologySpec& spec, const Place& place);

/// The same with one dimension for up to 5 processors (the paper's 4, and 4 with a CPU), 2 x 4 for 8 and 4 x 4 for 16
/// as in Figure 12; ConfigError for more processors that form no rectangle.
std::vector<unsigned> cluster_rectangle(const TopologySpec& spec, const Place& place);

/// ConfigError if TopologySpec::dimensions is given, for topologies that do not use it.
void refuse_dimensions(const TopologySpec& spec, const Place& place);

} // namespace numavp
