/// Configuration of a whole system: the content of a file in configs/systems.
#pragma once

#include <cstdint>
#include <string>

#include "base/config/config.h"
#include "base/config/instances.h"
#include "common/system/changes_config.h"
#include "common/system/faults_config.h"
#include "common/system/network_settings.h"
#include "common/system/system_parts.h"
#include "models/cache/replication_config.h"
#include "models/copy/copies_config.h"
#include "models/cpu/host_core_config.h"
#include "models/dispatch/dispatch_config.h"
#include "models/energy/energy_config.h"
#include "models/fault_server/driver_config.h"
#include "models/paging/placement_kind.h"
#include "models/reduction/reduction_config.h"
#include "models/socket/socket_config.h"

namespace numavp {

/// Frequencies of clocks in a machine; as many as a Clockwork has (platform/machine/system.cpp asserts it).
inline constexpr unsigned kMostClocks = 8;

struct HostSystemConfig {
    double link_gbps = 15.8, memory_gbps = 76.8, memory_latency_ns = 100.0;
    unsigned link_latency_cycles = 250, capacity_gib = 64;

    /// Bound on the cycles, of `ghz`, of an access from the switch and back if nothing else is under way.
    double idle_cycles(double packet_bytes, double ghz) const {
        return 2.0 * link_latency_cycles +
               ghz * (2 * packet_bytes / link_gbps + packet_bytes / memory_gbps + memory_latency_ns);
    }
};
struct ResultsSystemConfig {
    unsigned interval_cycles = 1000;
    unsigned kernel_rows = 512;
};
struct ChecksSystemConfig {
    bool protocol = false;
    bool functional = false;
    std::uint64_t stuck_cycles = 2000000;
};

struct SystemConfig {
    std::string name = "unnamed";
    std::string description;
    std::uint64_t clock_khz = 1000000;
    std::vector<PartSystemConfig> parts; ///< names, in a file that gives some
    unsigned sockets = 4;
    unsigned scale = 1;
    unsigned sector_bytes = 0;
    SocketConfig socket;
    Instances<SocketConfig> own_sockets; ///< of those that differ
    LinkConfig link;
    SwitchConfig switch_;
    NetworkSystemConfig network;
    PacketSizes packets;
    DispatchConfig dispatch;
    ReplicationConfig replication;
    PlacementConfig placement;
    CopiesConfig copies;
    HostCoreConfig host_core;
    MmuConfig translation;
    DriverConfig driver;
    HostSystemConfig host;
    ReductionConfig reduction;
    EnergyConfig energy;
    FaultsConfig faults;
    ChangesConfig changes;
    ResultsSystemConfig results;
    ChecksSystemConfig checks;

    /// Name of a socket: "gpu[3]", or "socket[3]" if the file names no parts.
    std::string socket_name(unsigned s) const { return WiredParts(*this).label(s); }
    bool sectored() const { return sector_bytes != 0; }
    const SocketConfig& socket_at(unsigned s) const { return own_sockets.of(s, socket); }
    LinkConfig link_at(unsigned s) const { return socket_at(s).own_link.of(link); }
    /// What several fields together must obey; ConfigError at `place`.
    void validate(const Place& place) const;
};

/// True if a cut stands at the link of any socket, or in a channel between routers.
inline bool cuts_a_link(const SystemConfig& c) {
    if (has_network(c) && cuts_a_channel(c.network)) return true;
    for (unsigned s = 0; s < c.sockets; ++s)
        if (c.link_at(s).cut != LinkCutKind::none) return true;
    return false;
}

template <class V> void describe(V& v, HostSystemConfig& c) {
    v.real(
        "link_gbps", c.link_gbps, 0.001, 10000.0, "GB/s",
        "Bandwidth between host and switch, each way (Characterising communication, Table 2.1: PCIe 3.0 x16, 15.8).");
    v.integer("link_latency_cycles", c.link_latency_cycles, 1, 1000000, "cycles",
              "Latency from host to switch, one way. A choice: half of about 500 ns that a PCIe 3.0 read takes.");
    v.real("memory_gbps", c.memory_gbps, 0.001, 1e6, "GB/s",
           "Bandwidth of the host's memory. A choice: four channels of DDR4-2400.");
    v.real("memory_latency_ns", c.memory_latency_ns, 1.0, 1e6, "ns",
           "Latency of an access to the host's memory. A choice: as of the sockets' memories.");
    v.integer("capacity_gib", c.capacity_gib, 1, 4096, "GiB",
              "Capacity of the host's memory; of it a socket's range of addresses counts, the next power of two of the "
              "socket's capacity. A choice.");
}
template <class V> void describe(V& v, ResultsSystemConfig& c) {
    v.integer("interval_cycles", c.interval_cycles, 10, 100000000, "cycles",
              "Interval between two samples of the time series.");
    v.integer("kernel_rows", c.kernel_rows, 8, 1000000, "rows",
              "Rows of the statistics by kernel, at most: half for launches, the rest for launches side by side and "
              "folded ones.");
}
template <class V> void describe(V& v, ChecksSystemConfig& c) {
    v.boolean("protocol", c.protocol, "Whether a protocol checker is on every wire.");
    v.boolean("functional", c.functional, "Whether memories and caches hold real data.");
    v.integer(
        "stuck_cycles", c.stuck_cycles, 1000, 1000000000000ULL, "cycles",
        "Time without progress after which the watchdog ends the run, beyond what one access takes at most on the "
        "idle machine.");
}
template <class V> void describe(V& v, SystemConfig& c) {
    v.text("name", c.name, "Short name of the system.");
    v.text("description", c.description, "One sentence on the machine and its source.");
    v.integer("clock_khz", c.clock_khz, 1000, 100000000, "kHz",
              "Core clock of the GPUs (NUMA-aware GPUs, Table 1: 1 GHz).");
    v.list("parts", c.parts,
           "Parts of the machine by name: sockets, and routers alone. Settings in which a part differs from \"socket\" "
           "stand under \"NAME\", \"NAME[2]\" or \"NAME[0..3]\".");
    const std::vector<NamedParts> named = named_sockets(c.parts);
    const unsigned all = socket_count(c.parts);
    if (all != 0) c.sockets = all; // unless the file says otherwise, which validate() refuses
    v.integer("sockets", c.sockets, 1, kMaxSockets, "sockets",
              "Number of GPU sockets (NUMA-aware GPUs, Table 1: 4); where parts have names, as many as these are.");
    v.integer("scale", c.scale, 1, 16, "",
              "Factor on SMs, L2, memory bandwidth and capacity of a socket: the hypothetical larger GPU.");
    v.steps(
        "sector_bytes", c.sector_bytes, 0U, kSectorBytes, kSectorBytes, "B",
        "Bytes in which caches fetch a line of 128: 32, the sectors that are missing (NVIDIA's GPUs since Pascal); 0, "
        "the whole line (NUMA-aware GPUs, Table 1). Holds for L1, L2, remote caches, packets and memory.");
    v.object("socket", c.socket, "Settings of each GPU socket.");
    v.instances("socket", named, c.socket, c.sockets, c.own_sockets,
                "Settings of one socket, or several, that differ from the others.");
    v.object("link", c.link,
             "Settings of each socket's link to the switch; those of one socket that differ stand under "
             "\"socket[2].link\".");
    v.object("switch", c.switch_, "Settings of the switch between the links.");
    v.object("network", c.network, "Settings of the network of routers between the links, in the place of the switch.");
    v.choice("routing", c.network.routing, kRoutings, "Rule by which packets find their way through the network.");
    v.object("packets", c.packets, "Sizes of packets on crossbars and links.");
    v.object("dispatch", c.dispatch, "Settings of the dispatch of thread blocks.");
    v.object("placement", c.placement, "Settings of the placement of pages.");
    v.object("replication", c.replication, "Replicas of lines that kernels only read.");
    v.object("copies", c.copies, "Settings of copies between host and devices.");
    v.optional("host_core", c.host_core, "Core that does the host's own work; without one this work takes no time.");
    v.object("translation", c.translation, "Settings of the translation of addresses in the sockets.");
    v.object("driver", c.driver, "Settings of the driver that serves page faults.");
    v.object("host", c.host, "Settings of the host on which the driver runs.");
    v.optional("reduction", c.reduction, "Settings of the parts of the kind reduction, which add up in a switch.");
    v.optional("energy", c.energy, "Energy of events and of time; without it only links and networks are counted.");
    v.optional("faults", c.faults, "Faults of links and routers at given times.");
    v.optional("changes", c.changes, "Settings that change at launches of kernels.");
    v.object("results", c.results, "Settings of what a run records.");
    v.object("checks", c.checks, "Settings of the checks during a run.");
}

} // namespace numavp
