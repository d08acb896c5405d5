/// What of the modules' configurations follows from the machine: ports, rates of what is beside them, `scale`.
#pragma once

#include "models/dispatch/dispatcher.h"
#include "models/socket/gpu_socket.h"
#include "platform/system_config.h"

namespace numavp {

GpuSocketConfig socket_config(const SystemConfig& config, unsigned core_ports);
/// Of the switch.
CrossbarShape switch_shape(const SystemConfig& config);
DispatchConfig dispatch_config(const SystemConfig& config);
AddressMap address_map(const SystemConfig& config);
/// Bytes of each socket's memory.
std::uint64_t memory_bytes(const SystemConfig& config);
std::uint64_t host_memory_bytes(const SystemConfig& config);
/// There is a driver that serves faults.
bool has_driver(const SystemConfig& config);
/// The host has a memory and a port on the switch: for a driver that takes time, or for page tables.
bool has_host_memory(const SystemConfig& config);
/// Where the page table's pages lie: the last 64th of each memory that has some.
TableRegion table_region(const SystemConfig& config);
RadixLayout radix_layout(const SystemConfig& config);
PageTableParams page_table_params(const SystemConfig& config);
/// Bytes a second of all lanes of all links one way, as wired.
std::uint64_t switch_bytes_per_s(const SystemConfig& config);

} // namespace numavp
