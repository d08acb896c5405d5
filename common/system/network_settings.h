/// The network between the links of a system's sockets: the section `network` of a system's file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "common/system/fabric_kind.h"
#include "tlm-links/flits/link_cut_kind.h"
#include "tlm-links/lanes/lane_balancer_kind.h"
#include "tlm-links/retry/link_errors.h"

namespace numavp {

struct ChannelErrors;
struct ChannelLanes;
struct SystemConfig;

inline constexpr unsigned kMostBufferFlits = 4096; ///< a router counts them in 16 bits

/// What channels make of packets, beside carrying them.
struct NetworkDress {
    unsigned overhead_bytes = 0, granule_bytes = 0;
    LinkCutKind cut = LinkCutKind::none;
    LinkErrors errors{};
};

/// A kind of channel that wires may name instead of the common one.
struct NetworkLink {
    std::string name;
    double gbytes_per_s = 20.0, latency_ns = 3.2;
    double energy_pj_per_bit = 2.0, idle_pj_per_bit = 0.0;
    unsigned buffer_bytes = 0; ///< 0: what its bandwidth needs
    unsigned lanes = 0;        ///< each way; 0: not made of lanes
    LaneBalancerKind balancer = LaneBalancerKind::fixed;
    LaneBalancerParams params{}; ///< of the balancer, under the same path
    double sample_ns = 5000.0, switch_ns = 100.0;
    double efficiency = 1.0;
    NetworkDress dress{};

    /// Of its bandwidth one way as wired, the most that lanes which turn can make of it.
    double most_of_wired() const { return balancer == LaneBalancerKind::fixed ? 1.0 : (2.0 * lanes - 1) / lanes; }
};

/// Channels, both ways, between the routers of parts: from some parts to others, or among the parts of a list.
struct NetworkWire {
    std::string from, to, all;
    std::string link; ///< empty: the common channel
    unsigned channels = 1;
    WireShape shape = WireShape::each;  ///< of a list
    std::vector<unsigned> dimensions{}; ///< of the shape; empty: as near to a square as there is
};

/// A stop on the chains of an overlay: one part for each chain; the first stop is one part that all chains share.
struct NetworkOverlayStop {
    std::string parts;
};

struct NetworkSystemConfig {
    FabricKind topology = FabricKind::single_switch;
    unsigned concentration = 1, parallel_channels = 1;
    unsigned cubes_per_gpu = 4, channels_per_cube = 2, terminals_per_cube = 4;
    EntryKind entry = EntryKind::slice;
    RoutingKind routing = RoutingKind::minimal; ///< `routing` of the system's file
    unsigned ugal_threshold = 2;
    std::uint64_t seed = 1;
    std::vector<unsigned> dimensions;
    std::vector<NetworkLink> links;
    std::vector<NetworkWire> wires;
    std::vector<NetworkOverlayStop> overlay;
    std::string non_blocking;
    unsigned pass_through_cycles = 1;
    NetworkDress dress{}; ///< of the common channel
    bool traffic_matrix = false;
    unsigned noc_khz = 4000000;
    unsigned flit_bytes = 32, virtual_channels = 6, buffer_bytes = 1024;
    double channel_ns = 3.2, terminal_ns = 1.0, cube_ns = 0.8;
    unsigned queue_depth = 16, wire_depth = 64, records_per_cycle = 1;
    double energy_pj_per_bit = 2.0, idle_pj_per_bit = 0.0;
};

template <class V> void describe(V& v, NetworkDress& c) {
    v.integer(
        "overhead_bytes", c.overhead_bytes, 0, 1024, "B",
        "Bytes that a channel adds to each packet: framing, sequence number, check; PCIe 12 (docs/use/NETWORKS.md).");
    v.integer("granule_bytes", c.granule_bytes, 0, 256, "B",
              "Unit in which packets take a channel, rounded up; 0: whole flits, as everywhere in the network.");
    v.choice("cut", c.cut, kLinkCuts, "Module between the routers at the two ends of a channel.");
    v.optional("errors", c.errors, "Bit errors of a channel, and how flits are sent again.");
}
template <class V> void describe(V& v, NetworkWire& c) {
    v.parts(
        "from", c.from,
        "Parts at one end, such as \"gpu[0..3]\": as many as at the other end are joined in pairs; where one end has "
        "a multiple of the other's, each of the fewer gets as many that lie side by side.");
    v.parts("to", c.to, "Parts at the other end.");
    v.parts("all", c.all, "Parts that are joined among each other, as shape says; in the place of from and to.");
    v.choice("shape", c.shape, kWireShapes,
             "Shape of the channels that join the parts of all. Wires of several shapes may meet.");
    v.integers("dimensions", c.dimensions, 1, 4096, "routers",
               "Parts in each dimension of a mesh, torus, flattened butterfly or dragonfly; empty: as near to a square "
               "as there is.");
    v.text("link", c.link, "Kind of the channels, one of network.links; empty: the common channel.");
    v.integer("channels", c.channels, 1, 16, "channels",
              "Number of channels side by side, each with the full bandwidth.");
}
template <class V> void describe(V& v, NetworkLink& c) {
    v.text("name", c.name, "Name of the kind of channel, for wires.");
    v.real("gbytes_per_s", c.gbytes_per_s, 0.001, 10000.0, "GB/s",
           "Bandwidth of a channel each way; at most what routers carry, a flit a cycle of noc_khz.");
    v.real("efficiency", c.efficiency, 0.01, 1.0, "",
           "Share of the bandwidth that packets get; acknowledgements and credits take the rest.");
    describe(v, c.dress);
    v.real("latency_ns", c.latency_ns, 0.1, 1e6, "ns", "Latency of a channel one way, for the first bits of a flit.");
    v.real("energy_pj_per_bit", c.energy_pj_per_bit, 0.0, 10000.0, "pJ/b",
           "Energy of a bit of a packet on the channel.");
    v.real("idle_pj_per_bit", c.idle_pj_per_bit, 0.0, 10000.0, "pJ/b",
           "Energy of a channel for each bit that it could have carried and did not; 0: not counted.");
    v.integer("buffer_bytes", c.buffer_bytes, 0, 65536, "B",
              "Size of the buffer of each virtual channel at the router behind the channel; 0: what the channel "
              "carries until a credit comes back, and network.buffer_bytes at least.");
    v.integer("lanes", c.lanes, 0, 64, "lanes",
              "Lanes each way, which share gbytes_per_s; 0: the channel is not made of lanes.");
    v.choice("balancer", c.balancer, kLaneBalancers,
             "Policy that turns lanes between the two directions of a channel.");
    describe(v, c.params);
    v.real("sample_ns", c.sample_ns, 10.0, 1e7, "ns",
           "Sample time of the balancer (NUMA-aware GPUs, section 4.1: 5K cycles of 1 GHz).");
    v.real("switch_ns", c.switch_ns, 0.0, 1e6, "ns", "Time that a lane takes to turn (section 4.1: 100 cycles).");
}
template <class V> void describe(V& v, NetworkOverlayStop& c) {
    v.parts(
        "parts", c.parts,
        "Parts of a stop, one for each chain, in their order; the first stop is one part, from which all chains go.");
}
template <class V> void describe(V& v, NetworkSystemConfig& c) {
    v.choice("topology", c.topology, kFabrics, "Topology of the network that joins the links of the sockets.");
    v.integer("concentration", c.concentration, 1, 64, "sockets", "Sockets at each router.");
    v.integer("parallel_channels", c.parallel_channels, 1, 8, "channels",
              "Channels in the place of each channel between routers.");
    v.integer("cubes_per_gpu", c.cubes_per_gpu, 1, 64, "cubes",
              "Memory cubes of each GPU, in networks of memory cubes: the first sockets are GPUs, the others their "
              "cubes, those of a GPU side by side; each cube has a router (memory networks, section VI.A: 4).");
    v.integer("channels_per_cube", c.channels_per_cube, 1, 16, "channels",
              "Channels from a GPU to each of its cubes (memory networks, section VI.A: 2 of 8).");
    v.integer("terminals_per_cube", c.terminals_per_cube, 1, 64, "terminals",
              "Terminals of a cube's router towards its vaults. A choice: one for each quadrant.");
    v.choice("entry", c.entry, kEntries,
             "Rule that chooses the cube at which a GPU's packet enters a network of cubes.");
    v.integer("ugal_threshold", c.ugal_threshold, 0, 65535, "flits",
              "Threshold of ugal: hops times flits by which the minimal way must be worse than the other.");
    v.integer("seed", c.seed, 0, ~std::uint64_t{0}, "",
              "Seed of the random draws of routers (ugal) and network interfaces (adaptive_entry); each of them has "
              "its own stream, chosen by its name.");
    v.integers(
        "dimensions", c.dimensions, 1, 4096, "routers",
        "Routers in each dimension of a mesh, torus or flattened butterfly, in each stage of a butterfly; empty: "
        "as near to a square as there is.");
    v.list("links", c.links, "Kinds of channels by name, for wires that differ from the common channel.");
    v.list("wires", c.wires, "Channels between routers, with the topology wires.");
    v.list("overlay", c.overlay,
           "Stops of the overlay's chains, with the topology wires: packets from and to the part of the first stop "
           "pass the routers of the others (memory networks, section V.C).");
    v.parts("non_blocking", c.non_blocking,
            "Routers that are switches, such as \"pcie\": each output takes from any input's buffers in any cycle, as "
            "with a common buffer and a non-blocking fabric (PLX, PEX 8747 product brief, 2010: full line rate on all "
            "ports), with the topology wires; with the other topologies \"all\" of their routers; empty: routers whose "
            "inputs send one flit a cycle.");
    v.integer("pass_through_cycles", c.pass_through_cycles, 1, 16, "cycles",
              "Time from router to router of a packet that passes one, in the place of the router's stages and of the "
              "channel's latency. A choice: the paper gives no number.");
    describe(v, c.dress);
    v.boolean("traffic_matrix", c.traffic_matrix,
              "Whether bytes between each two sockets are counted, requests and responses together.");
    v.integer("noc_khz", c.noc_khz, 1000, 100000000, "kHz",
              "Clock of routers: a channel carries a flit a cycle, 128 GB/s each way with the defaults, what a port of "
              "the switch carries and all 16 lanes of a link turned one way (Table 1).");
    v.integer("flit_bytes", c.flit_bytes, 1, 256, "B",
              "Size of a flit, which a channel carries in a cycle; a packet takes whole flits. A choice between 16 "
              "(memory networks) and speed.");
    v.integer("virtual_channels", c.virtual_channels, 1, 16, "channels",
              "Virtual channels of requests, and as many of responses (memory networks, Table I: 6).");
    v.integer("buffer_bytes", c.buffer_bytes, 1, 65536, "B",
              "Size of the buffer of each virtual channel at a router; a packet of the largest size or more. 32 flits, "
              "as in Table I of memory networks.");
    v.real("channel_ns", c.channel_ns, 0.1, 1e6, "ns",
           "Latency of a channel between routers, one way (memory networks, Table I: 3.2 of SerDes).");
    v.real("terminal_ns", c.terminal_ns, 0.1, 1e6, "ns",
           "Latency between a router and the network interface at a socket's link; the link's latency comes on top. A "
           "choice.");
    v.real("cube_ns", c.cube_ns, 0.1, 1e6, "ns",
           "Latency between a cube's router and its vaults. A choice: a cycle at 1.25 GHz.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Packets that an input of a network interface holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets between a network interface and the link.");
    v.integer("records_per_cycle", c.records_per_cycle, 1, 64, "records",
              "Records of each message class that a network interface moves each way in a cycle of its package. A "
              "choice: one, where channels carry less.");
    v.real("energy_pj_per_bit", c.energy_pj_per_bit, 0.0, 10000.0, "pJ/b",
           "Energy of a bit of a packet on each channel between routers, and in networks of cubes on those between a "
           "GPU and its cubes (memory networks, section VI.A: 2.0).");
    v.real("idle_pj_per_bit", c.idle_pj_per_bit, 0.0, 10000.0, "pJ/b",
           "Energy of these channels for each bit that they could have carried and did not (memory networks, section "
           "VI.A: 1.5). 0: not counted.");
}

/// `routers` in the dimensions that a topology of nodes wants where a file says none.
std::vector<unsigned> default_dimensions(TopologyKind kind, unsigned routers);
/// True if the links of a system end at routers.
bool has_network(const SystemConfig& config);
/// True if a cut stands in any channel between routers.
bool cuts_a_channel(const NetworkSystemConfig& network);
/// The network of a system, with the specification that it was made from. The layout puts wires in a circle.
struct SystemNetwork {
    TopologySpec spec;
    Topology topology; ///< endpoint s is socket s, the one after all sockets is the host
    /// Kinds of channels by `NetworkChannel::link`: the common one, then those of network.links.
    std::vector<NetworkLink> links;
    /// Ways after links or routers have failed (SystemConfig::faults); null: none fails.
    std::shared_ptr<const Routing> detour{};
};
/// Packets for which a network is routed: only those that the system can send, or any.
enum class RoutedFor : unsigned char { system, any };
/// Makes the network of a system. ConfigError at the place in the system's file of a setting that can't be.
SystemNetwork system_network(const SystemConfig& config, const Place& system, RoutedFor packets = RoutedFor::system);
/// True if requests come only from sockets with SMs and the host's core, and go to memories. Wires may then be routed
/// for these and their responses alone.
bool only_sms_request(const SystemConfig& config);
/// Sockets that request: those with SMs, and the host's core.
std::vector<unsigned> requesting_sockets(const SystemConfig& config);
/// Text such as "ring of 8 routers, 8 channels of 64 GB/s each way", or "..., 16 nvlink of 20 GB/s, ...".
std::string network_words(const SystemConfig& config);
/// The size and the speed of a system's network.
struct NetworkOutline {
    unsigned routers = 0;
    /// Latency in core cycles of a request between two idle sockets, nearest and farthest pair, without their links; 0
    /// if no other socket has memory.
    unsigned least_cycles = 0, most_cycles = 0;
    double flit_cycles = 1; ///< of the network, of the slowest channel
};
NetworkOutline network_outline(const SystemConfig& config);
/// A time in cycles of the routers' clock, at least 1; ConfigError at `place` if that is too many.
unsigned network_cycles(double ns, const NetworkSystemConfig& network, const Place& place);
/// The common channel as a kind of link without a name.
NetworkLink common_link(const NetworkSystemConfig& network);
/// What packets take on a channel.
WireFormat wire_format(const NetworkDress& dress, const NetworkSystemConfig& network);
/// What a kind of link says of its lanes, in cycles of the network.
ChannelLanes channel_lanes(const NetworkLink& link, const NetworkSystemConfig& network);
/// What a kind of link says of its errors, in cycles and flits of the network.
ChannelErrors channel_errors(const NetworkLink& link, const NetworkSystemConfig& network);
/// Bytes a second of the common channel one way.
double channel_bytes_per_s(const NetworkSystemConfig& network);

} // namespace numavp
