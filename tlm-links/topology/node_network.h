/// Common parts of all networks of nodes: routers `router[r]`, and endpoints `node[n]`, which are requesters with one
/// terminal.
#pragma once

#include <functional>
#include <vector>

#include "tlm-links/topology/grid.h"
#include "tlm-links/topology/network_limits.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

/// Limit of the length of TopologySpec::dimensions; no network that was built has as many.
inline constexpr std::size_t kMostDimensions = 16;

/// Routers and `nodes` nodes, node n at router `router_of(n)`, without channels between routers. `size.terminals` is
/// the number of nodes. ConfigError if the network is too large.
NetworkGraph nodes_without_channels(const TopologySpec& spec, const NetworkSize& size,
                                    const std::function<unsigned(unsigned)>& router_of, const Place& place);

/// Nodes on a grid of routers, TopologySpec::dimensions wired alike, with dimension-order routing.
/// If the concentration c is e to the number of dimensions, nodes form a grid too, e times as many in each dimension:
/// node n is at the coordinates of number n there, and e x e x ... of them share a router. Else nodes c r to c r + c -
/// 1 are at router r.
Topology make_node_grid(const TopologySpec& spec, GridWiring wiring, const Place& place);

/// ConfigError unless TopologySpec::dimensions has `least` to `most` elements; `what` names their meaning.
void check_dimensions(const TopologySpec& spec, std::size_t least, std::size_t most, const char* what,
                      const Place& place);

} // namespace numavp
