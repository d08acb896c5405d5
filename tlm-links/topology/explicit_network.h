/// Networks that are given as lists of routers, channels and terminals instead of by the name of a topology.
#pragma once

#include <vector>

#include "models/base/config_place.h"
#include "tlm-links/topology/dependencies.h"
#include "tlm-links/topology/network_graph.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

/// The tables of hops have an entry for each two routers.
inline constexpr std::size_t kMostExplicitRouters = 4'096;

/// Routing for any graph, free of deadlock on `vcs` virtual channels of a message class: the first of TableForm that
/// has no circle of dependencies. Trees, stars and full connections take all shortest ways on all virtual channels,
/// hypercubes the first shortest way (if routers are numbered by their coordinates); others have hop classes if there
/// are as many virtual channels as the longest way has hops, else up*/down*. Packets enter at the nearest router.
/// If `classes` are all packets that there will ever be, each on virtual channels of its own, it is enough that these
/// have no circle; none: packets go from every terminal to every other.
/// ConfigError with one sentence at `place` if the lists disagree, or a requester can't reach an endpoint.
Topology make_explicit(NetworkGraph graph, unsigned vcs, const Place& place,
                       const std::vector<PacketClass>& classes = {});

} // namespace numavp
