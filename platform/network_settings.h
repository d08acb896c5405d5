/// What stands between the links of a system's sockets: the section `network` of a system's file.
#pragma once

#include <string>
#include <vector>

#include "models/base/config.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

struct SystemConfig;

enum class FabricKind : unsigned char {
    single_switch,
    wires,
    star,
    ring,
    line,
    mesh,
    torus,
    tree,
    flattened_butterfly,
    dragonfly
};

inline constexpr NameTable<FabricKind> kFabrics{
    "fabric",
    {{FabricKind::single_switch, "switch", "One switch, as the section switch says."},
     {FabricKind::wires, "wires", "Routers joined as the list network.wires says."},
     {FabricKind::star, "star", "Routers around a hub, or one router alone."},
     {FabricKind::ring, "ring", "Routers in a ring."},
     {FabricKind::line, "line", "Routers in a line."},
     {FabricKind::mesh, "mesh", "Routers in a mesh of any number of dimensions."},
     {FabricKind::torus, "torus", "Routers in a torus of any number of dimensions."},
     {FabricKind::tree, "tree", "Sockets at the leaves of a tree of routers."},
     {FabricKind::flattened_butterfly, "flattened_butterfly",
      "Routers that differ in one coordinate are fully connected."},
     {FabricKind::dragonfly, "dragonfly", "Fully connected groups, a channel for each two groups."}}};

/// A channel, both ways, between the routers of two sockets.
struct NetworkWire {
    unsigned from = 0, to = 0, channels = 1;
};

struct NetworkSystemConfig {
    FabricKind topology = FabricKind::single_switch;
    unsigned concentration = 1, parallel_channels = 1;
    std::vector<unsigned> dimensions;
    std::vector<NetworkWire> wires;
    unsigned noc_khz = 4000000;
    unsigned flit_bytes = 32, virtual_channels = 6, buffer_bytes = 1024;
    double channel_ns = 3.2, terminal_ns = 1.0;
    unsigned queue_depth = 16, wire_depth = 64;
    double energy_pj_per_bit = 2.0;
};

template <class V> void describe(V& v, NetworkWire& c) {
    v.integer("from", c.from, 0, 4095, "sockets", "The router of this socket (the host's comes after all sockets).");
    v.integer("to", c.to, 0, 4095, "sockets", "The router of this one.");
    v.integer("channels", c.channels, 1, 16, "channels", "Side by side, each with the bandwidth of a channel.");
}
template <class V> void describe(V& v, NetworkSystemConfig& c) {
    v.choice("topology", c.topology, kFabrics, "What joins the sockets' links.");
    v.integer("concentration", c.concentration, 1, 64, "sockets", "At each router.");
    v.integer("parallel_channels", c.parallel_channels, 1, 8, "channels", "In the place of each between routers.");
    v.integers("dimensions", c.dimensions, 1, 4096, "routers",
               "Routers in each dimension of a mesh, torus or butterfly; empty: as near to a square as there is.");
    v.list("wires", c.wires, "Channels between routers, with the topology wires.");
    v.integer("noc_khz", c.noc_khz, 1000, 100000000, "kHz",
              "Clock of routers: a channel carries a flit a cycle, 128 GB/s each way with the defaults, what a port of "
              "the switch carries and all 16 lanes of a link turned one way (Table 1).");
    v.integer("flit_bytes", c.flit_bytes, 1, 256, "B",
              "What a channel carries a cycle; a packet takes whole flits. A choice between 16 (memory networks) and "
              "speed.");
    v.integer("virtual_channels", c.virtual_channels, 1, 16, "channels",
              "Of requests, and as many of responses (memory networks, Table I: 6).");
    v.integer(
        "buffer_bytes", c.buffer_bytes, 1, 65536, "B",
        "Of each virtual channel at a router; a packet of the largest size or more. 32 flits, as in Table I there.");
    v.real("channel_ns", c.channel_ns, 0.1, 1e6, "ns",
           "Of a channel between routers, one way (memory networks, Table I: 3.2 of SerDes).");
    v.real("terminal_ns", c.terminal_ns, 0.1, 1e6, "ns",
           "Between a router and the network interface at a socket's link, which has a latency of its own. A choice.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Packets that an input of a network interface holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets between a network interface and the link.");
    v.real("energy_pj_per_bit", c.energy_pj_per_bit, 0.0, 10000.0, "pJ/b",
           "Of each channel between routers that a packet passes (memory networks, section VI.A: 2.0).");
}

/// Whether the links of a system end at routers.
bool has_network(const SystemConfig& config);
/// The network's graph and routing; ConfigError at the place in `network` of what can't be.
Topology system_topology(const SystemConfig& config, const Place& network);
/// What a person asks of a system's network first.
struct SystemNetworkFacts {
    unsigned routers = 0;
    unsigned channels = 0; ///< between routers, both ways counted as one
    double channel_gbytes_per_s = 0;
    /// Of the core clock, for a request between two idle sockets that are nearest and farthest, without their links.
    unsigned least_cycles = 0, most_cycles = 0;
    /// "ring of 8 routers, 8 channels of 64 GB/s each way".
    std::string words;
};
SystemNetworkFacts network_facts(const SystemConfig& config);
/// Bytes a second of a channel one way.
double channel_bytes_per_s(const NetworkSystemConfig& network);

} // namespace numavp
