/// Numbers that follow from a network alone, without a simulation: ports, hops, latencies of packets that meet nobody,
/// what can pass between its halves.
#pragma once

#include <vector>

#include "platform/machine/machine_network.h"

namespace numavp {

/// Ports of a router that are wired: to routers, to endpoints that begin traffic, and to those that answer (vaults).
struct RouterPorts {
    unsigned channels = 0;
    unsigned requesters = 0;
    unsigned others = 0;
    unsigned all() const { return channels + requesters + others; }
};

struct NetworkFacts {
    std::vector<RouterPorts> ports; ///< of each router
    double mean_hops = 0;           ///< channels between routers, from each requester to each destination, all alike
    unsigned largest_hops = 0;
    /// Mean latency of a packet from a requester to the destinations of its own cluster and to the others, in cycles;
    /// of nodes: to itself and to others. 0 where there are none.
    double own_cycles = 0, other_cycles = 0;
    /// Channels, each way, that packets between the first half of the clusters (or nodes) and the others can use: the
    /// least cut. With an odd number of clusters the first half is the smaller one.
    unsigned bisection_channels = 0;
};

/// `packet_bytes` are those of the packets whose latency is told, header included.
NetworkFacts network_facts(const NetworkSystem& system, unsigned packet_bytes);

} // namespace numavp
