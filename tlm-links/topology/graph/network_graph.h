/// A network as a graph: routers, the channels between them, endpoints and the terminals by which these send and
/// receive. Plain data without SystemC; indices are positions in the lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tlm-links/topology/graph/best_ways.h"
#include "tlm-links/topology/graph/wire_format.h"

namespace numavp {

/// One direction of a channel between two routers. Credits of its packets travel the channel that goes back.
struct NetworkChannel {
    static constexpr std::uint32_t kCycle = 1U << 16; ///< the interval of a channel that takes a flit each cycle

    unsigned from = 0; ///< router
    unsigned to = 0;   ///< router
    unsigned latency_cycles = 1;
    unsigned reverse = 0;            ///< index of the channel that goes back
    std::uint32_t interval = kCycle; ///< between two flits, in 1/65536 of a cycle; a cycle or more
    unsigned link = 0;               ///< which of the owner's kinds of link
    unsigned buffer_flits = 0;       ///< of each virtual channel where it ends; 0: as many as all routers have
    WireFormat format{};

    /// Cycles from the first bits of a flit to the last ones, beyond those of a channel that takes a flit each cycle.
    unsigned tail_cycles() const { return (interval - 1) / kCycle; }
};

/// A port of an endpoint at a router, with a channel to it and one from it.
struct NetworkTerminal {
    unsigned endpoint = 0;
    unsigned router = 0;
    unsigned latency_cycles = 1; ///< each way
};

/// A sender and receiver of packets: a processor with several terminals, a cube's vaults, a node.
struct NetworkEndpoint {
    std::string name;                ///< such as `gpu[2]`, `cube[5]`, `node[63]`
    bool requester = true;           ///< begins traffic; others answer only
    unsigned cluster = 0;            ///< the processor whose memories it is among, or is
    std::vector<unsigned> terminals; ///< indices
    std::vector<unsigned> serving{}; ///< those to which requests go, where not all are; empty: all

    const std::vector<unsigned>& exits() const { return serving.empty() ? terminals : serving; }
    /// Number of terminals by which it begins traffic, if it does.
    std::size_t entries() const { return terminals.size() - serving.size(); }
};

struct NetworkGraph {
    std::vector<std::string> routers; ///< their names
    std::vector<NetworkChannel> channels;
    std::vector<NetworkTerminal> terminals;
    std::vector<NetworkEndpoint> endpoints;
    bool by_slice = false; ///< packets take the terminals of their slice's number, not those that their line draws
    unsigned slices = 0; ///< then: of an endpoint with fewer slices than terminals, each of which has several; 0: none
    std::vector<unsigned> non_blocking{}; ///< routers whose outputs all read the buffers of an input at once
    std::vector<Transit> transit{};       ///< of each router; empty: all are transit
    std::vector<double> link_speeds{};    ///< GB/s of each kind of link, by which ways are chosen; empty: by intervals

    /// Properties that both directions of a channel share.
    struct Channel {
        unsigned latency_cycles = 1;
        std::uint32_t interval = NetworkChannel::kCycle;
        unsigned link = 0;
        unsigned buffer_flits = 0;
        WireFormat format{};
    };
    /// Adds both directions of a channel and returns the index of the one from `a` to `b`; the other is the next.
    unsigned connect(unsigned a, unsigned b, const Channel& both);
    unsigned connect(unsigned a, unsigned b, unsigned latency_cycles) {
        return connect(a, b, {latency_cycles, NetworkChannel::kCycle, 0});
    }
    /// Adds a terminal of `endpoint` at `router` and returns its index.
    unsigned attach(unsigned endpoint, unsigned router, unsigned latency_cycles);
    /// Channels that leave `router`, in the order of their indices. Looks at all channels.
    std::vector<unsigned> leaving(unsigned router) const;
    /// `leaving` of every router, in one pass over the channels.
    std::vector<std::vector<unsigned>> leaving_by_router() const;
    /// The ways that this graph's `transit` and `link_speeds` make best.
    BestWays best_ways() const;
    /// Terminals and channel pairs at `router`. Looks at all of them.
    unsigned ports(unsigned router) const;
};

} // namespace numavp
