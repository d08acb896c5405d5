/// Networks that are given as lists of routers, channels and terminals in place of a topology's name.
#pragma once

#include <vector>

#include "base/config/config_place.h"
#include "tlm-links/topology/graph/dependencies.h"
#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

/// Limit of the number of routers: the tables of hops have an entry for each pair.
inline constexpr std::size_t kMostExplicitRouters = 4'096;

/// Makes a deadlock-free routing for any graph on `vcs` virtual channels of a message class: by best ways
/// (NetworkGraph::best_ways) in the first of TableForm whose dependencies have no circle. Trees, stars and full
/// connections take all best ways on all virtual channels, hypercubes the first one (if routers are numbered by
/// coordinates); others have hop classes if there are as many virtual channels as the longest way has hops, else
/// up*/down*, whose ways may be longer. Packets enter at the nearest router. `classes` lists all packets that will ever
/// be sent, each class on separate virtual channels: only their dependencies must have no circle. Empty: packets go
/// from every terminal to every other. ConfigError with one sentence at `place` if the lists disagree, or a requester
/// can't reach an endpoint.
Topology make_explicit(NetworkGraph graph, unsigned vcs, const Place& place,
                       const std::vector<PacketClass>& classes = {});

} // namespace numavp
