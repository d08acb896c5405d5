/// What of the modules' configurations follows from the machine: ports, rates of what is beside them, `scale`.
#pragma once

#include <optional>

#include "models/base/instances.h"
#include "models/cache/replication_model.h"
#include "models/dispatch/dispatcher.h"
#include "models/socket/gpu_socket.h"
#include "platform/machine/system_config.h"

namespace numavp {

/// Sockets side by side that are described alike, and have the same name if parts have names.
struct SocketGroup {
    IndexRange range;
    const SocketConfig* config;
    std::string text; ///< of the range

    /// "socket[0..3]", or "gpu[0..3]".
    const std::string& name() const { return text; }
};
std::vector<SocketGroup> socket_groups(const SystemConfig& config);
PacketSizes packet_sizes(const SystemConfig& config);
/// Of a socket's memory as it is, whatever models it.
struct MemorySpeed {
    double gbps = 0;       ///< of all channels
    double latency_ns = 0; ///< of a read of a channel at rest; of DRAM, of a row that is closed
};
MemorySpeed memory_speed(const SystemConfig& config, const SocketConfig& socket);
/// Of all sockets together.
struct SystemTotals {
    std::uint64_t sms = 0, l2_bytes = 0, memory_bytes = 0;
    double memory_gbps = 0;
};
SystemTotals system_totals(const SystemConfig& config);
/// The sockets that have memory, in their order: memory i is that of the i-th, or of the next
/// `placement.sockets_per_memory` of them.
std::vector<SocketId> memory_homes(const SystemConfig& config);
GpuSocketConfig socket_config(const SystemConfig& config, unsigned socket, unsigned core_ports);
/// Of a socket, in MB/s: its slices, its memory, a direction of its ports at the network or of its link.
ReplicationBandwidths replication_bandwidths(const SystemConfig& config, unsigned socket);
/// The first socket whose slices replicate for SMs of its own; nothing if none does.
std::optional<unsigned> replicating_socket(const SystemConfig& config);
/// Of the switch.
CrossbarShape switch_shape(const SystemConfig& config);
DispatchConfig dispatch_config(const SystemConfig& config);
AddressMap address_map(const SystemConfig& config);
/// Bytes of each memory.
std::uint64_t memory_bytes(const SystemConfig& config);
std::uint64_t host_memory_bytes(const SystemConfig& config);
/// Sockets with SMs have copy engines for a host's buffers.
bool copies_by_engines(const SystemConfig& config);
/// The same, or they have engines for copies between arrays alone.
bool has_copy_engines(const SystemConfig& config);
/// There is a driver that serves faults.
bool has_driver(const SystemConfig& config);
/// The host has a memory and a port on the switch: for a driver that takes time, or for page tables.
bool has_host_memory(const SystemConfig& config);
/// Where the page table's pages lie: the last 64th of each memory that has some.
TableRegion table_region(const SystemConfig& config);
RadixLayout radix_layout(const SystemConfig& config);
PageTableParams page_table_params(const SystemConfig& config);
/// ConfigError for crossbars whose energy is counted and that can't be.
void check_energy(const SystemConfig& config, const Place& place);
/// Bytes a second of all lanes of all links one way, as wired.
std::uint64_t switch_bytes_per_s(const SystemConfig& config);

} // namespace numavp
