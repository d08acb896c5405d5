/// Checks that a routing relation cannot deadlock: its channel dependency graph must have no circle (Dally and Seitz,
/// 1987). A node of that graph is a virtual channel of a channel; an edge says that a packet which holds the one may
/// wait for the other. Every step that may be drawn is an edge, which is right for routers that draw a step and keep to
/// it. Terminals are left out: an endpoint must always take the packets that arrived for it.
#pragma once

#include <vector>

#include "base/config/config_place.h"
#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/graph/routing.h"

namespace numavp {

struct HeldChannel {
    unsigned channel = 0;
    unsigned vc = 0;
};

/// Packets that share virtual channels with no others: from each router in `from` to each in `to`.
struct PacketClass {
    std::vector<bool> from, to; ///< by router
};

/// A circle of virtual channels: a packet that holds one may wait for the next, the last for the first; it
/// begins with the channel of the lowest index. Empty if there is none. Looks at packets from every router with a
/// terminal to every other that they can reach, directly and by way of every intermediate router.
std::vector<HeldChannel> find_circle(const NetworkGraph& graph, const Routing& routing);
/// The same for the packets of one class only, which go directly.
std::vector<HeldChannel> find_circle(const NetworkGraph& graph, const Routing& routing, const PacketClass& packets);

/// ConfigError at `place` unless all steps leave their router, are a hop nearer to the target and have virtual channels
/// below `vcs`, and there is no circle. For routings that others wrote; takes as long as find_circle.
void check_routing(const NetworkGraph& graph, const Routing& routing, unsigned vcs, const Place& place);

} // namespace numavp
