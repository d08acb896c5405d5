/// Configuration of a machine: parts, kinds of links, and networks that join them; files in configs/systems/networks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/base/config.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

/// A kind of part and the number of such parts, which are called `name[0]` to `name[count - 1]`.
struct MachinePart {
    unsigned count = 1;
    unsigned channels = 8;    ///< to routers, of a processor or a router; 0: as many as it needs
    unsigned terminals = 4;   ///< inside a cube, towards its vaults
    double terminal_ns = 0.8; ///< latency of such a terminal, each way
};

/// A kind of link: both directions of a channel.
struct MachineLink {
    double latency_ns = 3.2;
    unsigned flit_bytes = 16;
    unsigned virtual_channels = 6;
    unsigned buffer_bytes = 512;
    double energy_pj_per_bit = 2.0;
    double idle_pj_per_bit = 1.5;
};

/// A named topology over parts.
struct MachineNetwork {
    TopologyKind topology = TopologyKind::sfbfly;
    std::string terminals = "gpu"; ///< the part that begins traffic
    std::string routers = "cube";  ///< the part that routes
    std::string link = "serdes";
    unsigned routers_per_terminal = 4;
    unsigned channels_per_router = 2;
    unsigned concentration = 1;
    unsigned parallel_channels = 1;
    std::vector<unsigned> dimensions;
};

struct MachineFile {
    std::string name;
    std::string description;
    unsigned noc_khz = 1250000;
    RoutingKind routing = RoutingKind::minimal;
    EntryKind entry = EntryKind::slice;
    unsigned ugal_threshold = 2;
    std::vector<std::pair<std::string, MachinePart>> parts;
    std::vector<std::pair<std::string, MachineLink>> links;
    std::vector<MachineNetwork> networks;
};

template <class V> void describe(V& v, MachinePart& c) {
    v.integer("count", c.count, 1, 4096, "parts", "How many there are.");
    v.integer("channels", c.channels, 0, 64, "channels",
              "Ports to other parts; 0: as many as the network needs (memory networks, Table I: 8).");
    v.integer("terminals", c.terminals, 1, 64, "terminals",
              "Of a cube: ports of its router towards its vaults. A choice: one for each quadrant of 4 vaults.");
    v.real("terminal_ns", c.terminal_ns, 0.1, 1000.0, "ns", "Latency of such a port, each way. A choice.");
}
template <class V> void describe(V& v, MachineLink& c) {
    v.real("latency_ns", c.latency_ns, 0.1, 1e6, "ns", "One way (memory networks, Table I: 3.2 of SerDes).");
    v.integer("flit_bytes", c.flit_bytes, 1, 256, "B", "What a channel carries a cycle (HMC: 16).");
    v.integer("virtual_channels", c.virtual_channels, 1, 16, "channels",
              "Of each message class (memory networks, Table I: 6).");
    v.integer("buffer_bytes", c.buffer_bytes, 1, 65536, "B",
              "Of each virtual channel at the receiving router (memory networks, Table I: 512).");
    v.real("energy_pj_per_bit", c.energy_pj_per_bit, 0.0, 10000.0, "pJ/b", "Of packets (section VI.A: 2.0).");
    v.real("idle_pj_per_bit", c.idle_pj_per_bit, 0.0, 10000.0, "pJ/b", "While nothing is sent (section VI.A: 1.5).");
}
template <class V> void describe(V& v, MachineNetwork& c) {
    v.choice("topology", c.topology, kTopologies, "How routers are joined.");
    v.text("terminals", c.terminals, "The part that begins traffic: processors of cubes, or nodes.");
    v.text("routers", c.routers, "The part that routes.");
    v.text("link", c.link, "The kind of its channels.");
    v.integer("routers_per_terminal", c.routers_per_terminal, 1, 64, "cubes",
              "Cubes of each processor, its cluster; in networks of cubes alone.");
    v.integer("channels_per_router", c.channels_per_router, 1, 16, "channels",
              "From a processor to each of its cubes; in networks of cubes alone.");
    v.integer("concentration", c.concentration, 1, 64, "nodes", "Nodes at each router; in networks of nodes alone.");
    v.integer("parallel_channels", c.parallel_channels, 1, 8, "channels",
              "In the place of each channel between routers; 2 in the forms called -2x.");
    v.integers("dimensions", c.dimensions, 1, 4096, "routers",
               "Routers in each dimension, of a slice (empty: as the paper has it) or a network of nodes; of a ring "
               "or line, their number.");
}
template <class V> void describe(V& v, MachineFile& c) {
    v.text("name", c.name, "Of the machine; its file's name unless given.");
    v.text("description", c.description, "A sentence for lists.");
    v.integer("noc_khz", c.noc_khz, 1000, 100000000, "kHz", "Clock of routers (memory networks, Table I: 1.25 GHz).");
    v.choice("routing", c.routing, kRoutings, "How packets find their way.");
    v.choice("entry", c.entry, kEntries, "By which of its cubes a processor's packet enters a network of cubes.");
    v.integer("ugal_threshold", c.ugal_threshold, 0, 65535, "flits",
              "By how much hops times flits of the minimal way must be more before UGAL goes another.");
    v.list("networks", c.networks, "Networks over the parts.");
}

/// True if a document describes a machine rather than a system of equal sockets.
bool is_machine(const json& value);
MachineFile read_machine(const ConfigDocument& document);
/// JSON Schema of machine files.
ordered_json machine_schema();
/// JSON of a machine, defaults included; `read_machine` of it gives `machine` again.
ordered_json dump_machine(const MachineFile& machine);

} // namespace numavp
