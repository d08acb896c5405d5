/// Derives from a machine's configuration what its modules need: port counts, rates of neighbouring modules, `scale`.
#pragma once

#include <optional>

#include "base/config/instances.h"
#include "common/system/system_config.h"
#include "models/cache/replication_model.h"
#include "models/dispatch/dispatch_config.h"
#include "models/mmu/radix_layout.h"
#include "models/mmu/table_memory.h"
#include "models/paging/page_table.h"
#include "models/socket/socket_config.h"

namespace numavp {

/// Consecutive sockets with the same configuration, and the same name if parts have names.
struct SocketGroup {
    IndexRange range;
    const SocketConfig* config;
    std::string text; ///< of the range

    /// "socket[0..3]", or "gpu[0..3]".
    const std::string& name() const { return text; }
};
std::vector<SocketGroup> socket_groups(const SystemConfig& config);
/// Names of all sockets for a person: those of the file's parts, such as "gpu[2]", else "socket 2".
std::vector<std::string> socket_names(const SystemConfig& config);
PacketSizes packet_sizes(const SystemConfig& config);
/// `link` with the packets in flight that its rate and latency need, where its `wire_depth` is 0.
LinkConfig with_wires(const SystemConfig& config, LinkConfig link);
/// Bandwidth and latency of a socket's memory, for any memory model.
struct MemorySpeed {
    double gbps = 0;       ///< of all channels
    double latency_ns = 0; ///< of a read of a channel at rest; of DRAM, of a row that is closed
};
MemorySpeed memory_speed(const SystemConfig& config, const SocketConfig& socket);
/// Sums over all sockets.
struct SystemTotals {
    std::uint64_t sms = 0, l2_bytes = 0, memory_bytes = 0;
    double memory_gbps = 0;
};
SystemTotals system_totals(const SystemConfig& config);
/// The sockets that have memory, in their order: memory i is that of the i-th, or of the next
/// `placement.sockets_per_memory` of them.
std::vector<SocketId> memory_homes(const SystemConfig& config);
GpuSocketConfig socket_config(const SystemConfig& config, unsigned socket, unsigned core_ports);
/// Bandwidths of a socket in MB/s: its slices, its memory, and one direction of its network ports or its link.
ReplicationBandwidths replication_bandwidths(const SystemConfig& config, unsigned socket);
/// The first socket with SMs and memory whose L2 organisation is replicating; none if there is no such socket.
std::optional<unsigned> replicating_socket(const SystemConfig& config);
DispatchConfig dispatch_config(const SystemConfig& config);
AddressMap address_map(const SystemConfig& config);
/// Bytes of each memory, by its number; of the largest.
std::vector<std::uint64_t> memory_sizes(const SystemConfig& config);
std::uint64_t memory_bytes(const SystemConfig& config);
std::uint64_t host_memory_bytes(const SystemConfig& config);
/// True if copy engines of the sockets with SMs copy to and from a host's buffers.
bool copies_by_engines(const SystemConfig& config);
/// True if sockets have copy engines, for copies of the host or only for copies between arrays.
bool has_copy_engines(const SystemConfig& config);
/// True if a driver serves page faults.
bool has_driver(const SystemConfig& config);
/// True if the host has a memory and a port on the switch: for a driver that takes time, or for page tables.
bool has_host_memory(const SystemConfig& config);
/// Number of the host: of its port on the switch or end of the network, of its memory in physical addresses, and of the
/// ranks of its arbiters. An ideal driver's host has the latter alone.
SocketId host_number(const SystemConfig& config);
/// Ports of the switch, or ends of the network: of all sockets, of the host if it has a memory, and of reduction units.
unsigned end_count(const SystemConfig& config);
/// Memory region for the pages of the page table: the last 64th of each memory that has some.
TableRegion table_region(const SystemConfig& config);
RadixLayout radix_layout(const SystemConfig& config);
PageTableParams page_table_params(const SystemConfig& config);
/// ConfigError if the energy model of crossbars does not fit the system: no network, or too few stages or ports.
void check_energy(const SystemConfig& config, const Place& place);
/// Cycles of two links, those of the nearest two sockets and of the farthest two.
struct LinkCycles {
    unsigned least = 0, most = 0;
};
LinkCycles cycles_of_two_links(const SystemConfig& config);
/// Bytes a second of all lanes of all links one way, as wired.
std::uint64_t switch_bytes_per_s(const SystemConfig& config);

} // namespace numavp
