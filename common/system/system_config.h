/// Configuration of a whole system: the content of a file in configs/systems.
#pragma once

#include <cstdint>
#include <string>

#include "base/config/config.h"
#include "base/config/instances.h"
#include "common/system/network_settings.h"
#include "common/system/system_parts.h"
#include "models/cache/replication_config.h"
#include "models/copy/copies_config.h"
#include "models/cpu/host_core_config.h"
#include "models/dispatch/dispatch_config.h"
#include "models/energy/energy_config.h"
#include "models/fault_server/driver_config.h"
#include "models/paging/placement_kind.h"
#include "models/socket/socket_config.h"

namespace numavp {

/// Frequencies of clocks in a machine; as many as a Clockwork has (platform/machine/system.cpp asserts it).
inline constexpr unsigned kMostClocks = 8;

struct HostSystemConfig {
    double link_gbps = 15.8, memory_gbps = 76.8, memory_latency_ns = 100.0;
    unsigned link_latency_cycles = 250, capacity_gib = 64;
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
    EnergyConfig energy;
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
    v.real("link_gbps", c.link_gbps, 0.001, 10000.0, "GB/s",
           "Each way between host and switch (Characterising communication, Table 2.1: PCIe 3.0 x16, 15.8).");
    v.integer("link_latency_cycles", c.link_latency_cycles, 1, 1000000, "cycles",
              "One way, host to switch. A choice: half of about 500 ns that a PCIe 3.0 read takes.");
    v.real("memory_gbps", c.memory_gbps, 0.001, 1e6, "GB/s",
           "The host's memory. A choice: four channels of DDR4-2400.");
    v.real("memory_latency_ns", c.memory_latency_ns, 1.0, 1e6, "ns", "Of an access. A choice, as the sockets'.");
    v.integer("capacity_gib", c.capacity_gib, 1, 4096, "GiB",
              "The host's memory; of it a socket's range of addresses counts, the next power of two of its capacity. A "
              "choice.");
}
template <class V> void describe(V& v, ResultsSystemConfig& c) {
    v.integer("interval_cycles", c.interval_cycles, 10, 100000000, "cycles", "Interval of the time series.");
    v.integer("kernel_rows", c.kernel_rows, 8, 1000000, "rows",
              "Of the statistics by kernel at most: half for launches, the rest for those side by side and folded.");
}
template <class V> void describe(V& v, ChecksSystemConfig& c) {
    v.boolean("protocol", c.protocol, "A protocol checker on every wire.");
    v.boolean("functional", c.functional, "Memories and caches hold real data.");
    v.integer("stuck_cycles", c.stuck_cycles, 1000, 1000000000000ULL, "cycles",
              "Without progress for this long the watchdog ends the run.");
}
template <class V> void describe(V& v, SystemConfig& c) {
    v.text("name", c.name, "A short name.");
    v.text("description", c.description, "What it is, and where from.");
    v.integer("clock_khz", c.clock_khz, 1000, 100000000, "kHz", "GPU clock (NUMA-aware GPUs, Table 1: 1 GHz).");
    v.list("parts", c.parts,
           "What the machine has, by name: the sockets, and routers alone. What differs from \"socket\" then stands "
           "under \"NAME\", \"NAME[2]\" or \"NAME[0..3]\".");
    const std::vector<NamedParts> named = named_sockets(c.parts);
    const unsigned all = socket_count(c.parts);
    if (all != 0) c.sockets = all; // unless the file says otherwise, which validate() refuses
    v.integer("sockets", c.sockets, 1, kMaxSockets, "sockets",
              "GPU sockets (Table 1: 4); where parts have names, as many as these are.");
    v.integer("scale", c.scale, 1, 16, "",
              "SMs, L2, memory bandwidth and capacity of a socket times this: the hypothetical larger GPU.");
    v.steps(
        "sector_bytes", c.sector_bytes, 0U, kSectorBytes, kSectorBytes, "B",
        "What caches fetch of a line of 128 bytes: 32, the sectors that are missing (NVIDIA's GPUs since Pascal); 0, "
        "the line (NUMA-aware GPUs, Table 1). Holds for L1, L2, remote caches, packets and memory.");
    v.object("socket", c.socket, "Each GPU socket.");
    v.instances("socket", named, c.socket, c.sockets, c.own_sockets,
                "One socket, or several, that differ from the others.");
    v.object("link", c.link, "Each socket's link to the switch; what of one differs stands under \"socket[2].link\".");
    v.object("switch", c.switch_, "The switch.");
    v.object("network", c.network, "What stands between the links in the place of the switch.");
    v.choice("routing", c.network.routing, kRoutings, "Which way packets take through the network.");
    v.object("packets", c.packets, "Packets on crossbars and links.");
    v.object("dispatch", c.dispatch, "Thread-block dispatch.");
    v.object("placement", c.placement, "Page placement.");
    v.object("replication", c.replication, "Replicas of lines that kernels only read.");
    v.object("copies", c.copies, "Copies between host and devices.");
    v.optional("host_core", c.host_core, "The core that does the host's own work; without one it takes no time.");
    v.object("translation", c.translation, "Translation of addresses in the sockets.");
    v.object("driver", c.driver, "The driver that serves page faults.");
    v.object("host", c.host, "The host on which it runs.");
    v.optional("energy", c.energy, "What events and time cost; without it links and networks alone do.");
    v.object("results", c.results, "What is recorded.");
    v.object("checks", c.checks, "What is checked while it runs.");
}

} // namespace numavp
