/// Numbers that follow from a network without a simulation: ports, hops, latencies of uncontended packets, and the
/// bandwidth between its halves.
#pragma once

#include <vector>

#include "common/system/network_alone.h"

namespace numavp {

/// Wired ports of a router: to routers, to endpoints that begin traffic, and to those that only answer (vaults).
struct RouterPorts {
    unsigned channels = 0;
    unsigned requesters = 0;
    unsigned others = 0;
    unsigned all() const { return channels + requesters + others; }
};

/// Of each router.
std::vector<RouterPorts> router_ports(const NetworkGraph& graph);

struct NetworkFacts {
    double mean_hops = 0; ///< channels between routers, from each requester to each destination, all alike
    unsigned largest_hops = 0;
    /// Mean latency in cycles of a packet from a requester to the destinations of its own cluster, and to the others;
    /// in networks of nodes: to itself, and to others. 0 if there are no such destinations.
    double own_cycles = 0, other_cycles = 0;
    /// Minimum cut between the first half of the clusters (or nodes) and the others, in channels each way. With an odd
    /// number of clusters the first half is the smaller one.
    unsigned bisection_channels = 0;
};

/// `packet_bytes` is the size, with header, of the packets whose latency is computed.
NetworkFacts network_facts(const NetworkSystem& system, unsigned packet_bytes);

} // namespace numavp
