#include "platform/build.h"

#include <algorithm>

#include "models/base/address_layout.h"
#include "models/base/units.h"

namespace numavp {

namespace {
/// A memory's part for page tables: 8 times what its own pages need if they are the smallest and lie side by side.
constexpr unsigned kTableShare = 64;

} // namespace

GpuSocketConfig socket_config(const SystemConfig& c, unsigned core_ports) {
    GpuSocketConfig m;
    static_cast<SocketConfig&>(m) = c.socket.scaled(c.scale);
    m.link = c.link;
    m.mmu = c.translation;
    m.packets = c.packets;
    m.core_ports = core_ports;
    m.has_link = c.sockets > 1 || has_host_memory(c);
    m.device_ports = has_host_memory(c) ? 1 : 0; // of the copy engine
    m.memory.ports = m.l2.slices / m.memory.channels;
    if (c.sockets == 1) m.partition.controller = WayPartitionKind::fixed; // a link to a host makes no line remote
    m.sm.l1.store_bytes_per_s = bytes_per_s(m.noc.request_bytes_per_cycle, c.clock_khz);
    m.sm.l1.shared_banks = m.sm.shared_banks;
    m.sm.l1.shared_cycles = m.sm.shared_cycles;
    m.sm.l1.partitioned = m.l2.organisation == L2Organisation::numa_aware && m.partition.l1 && c.sockets > 1;
    m.mmu.wire_depth = m.sm.l1.wire_depth;
    m.mmu.bytes_per_s = m.sm.l1.store_bytes_per_s;
    m.mmu.memories = c.sockets + (has_host_memory(c) ? 1 : 0);
    m.mmu.faults = has_driver(c);
    m.mmu.migration_threshold = c.driver.migration_threshold;
    return m;
}

std::uint64_t switch_bytes_per_s(const SystemConfig& c) {
    if (c.switch_.total_gbps > 0.0) return bytes_per_s(c.switch_.total_gbps);
    const std::uint64_t host = has_host_memory(c) ? bytes_per_s(c.host.link_gbps) : 0;
    return c.sockets * std::uint64_t{(c.link.lanes_out + c.link.lanes_in) / 2} * c.link.lane_bytes_per_s() + host;
}

CrossbarShape switch_shape(const SystemConfig& c) {
    CrossbarShape m;
    m.ingress = m.egress = c.sockets + (has_host_memory(c) ? 1 : 0);
    // A port of the switch carries whatever the lanes behind it can: all of them one way.
    m.request_bytes_per_s = m.response_bytes_per_s = c.link.most_bytes_per_s();
    m.total_bytes_per_s = switch_bytes_per_s(c);
    m.part = Part::link;
    m.counted_ports = c.sockets;
    return m;
}

DispatchConfig dispatch_config(const SystemConfig& c) {
    DispatchConfig m = c.dispatch;
    m.blocks_per_cycle *= c.scale;
    return m;
}

std::uint64_t memory_bytes(const SystemConfig& c) {
    return (std::uint64_t{c.socket.memory.capacity_gib} << 30) * c.scale;
}

/// The host's memory has a socket's range of addresses, however large it is.
std::uint64_t host_memory_bytes(const SystemConfig& c) {
    return std::min(std::uint64_t{c.host.capacity_gib} << 30, std::uint64_t{1} << address_map(c).socket_shift);
}

bool has_driver(const SystemConfig& c) { return c.driver.execution != DriverExecution::none; }

bool has_host_memory(const SystemConfig& c) {
    if (c.translation.mode == TranslationMode::off) return false;
    return c.driver.execution == DriverExecution::native || c.driver.execution == DriverExecution::riscv ||
           c.translation.tables == TableHome::host;
}

TableRegion table_region(const SystemConfig& c) {
    const bool on_host = c.translation.tables == TableHome::host;
    const std::uint64_t whole = on_host ? host_memory_bytes(c) : memory_bytes(c);
    TableRegion region;
    region.first = on_host ? c.sockets : 0;
    region.memories = on_host ? 1 : c.sockets;
    region.socket_shift = address_map(c).socket_shift;
    region.base = whole - whole / kTableShare;
    region.frames = whole / kTableShare / RadixLayout::kTableBytes;
    return region;
}

RadixLayout radix_layout(const SystemConfig& c) {
    return RadixLayout(c.placement.address_bits, bits_for(c.placement.page_bytes()));
}

PageTableParams page_table_params(const SystemConfig& c) {
    PageTableParams m;
    m.sockets = c.sockets;
    m.capacity_bytes = memory_bytes(c);
    m.page_bytes = c.placement.page_bytes();
    m.address_bits = c.placement.address_bits;
    if (c.translation.mode != TranslationMode::off && c.translation.tables == TableHome::sockets)
        m.reserved_bytes = memory_bytes(c) / kTableShare;
    return m;
}

AddressMap address_map(const SystemConfig& c) {
    AddressMap map;
    map.sockets = c.sockets;
    map.socket_shift = AddressLayout(c.sockets, memory_bytes(c)).socket_shift();
    map.slices = c.socket.l2.slices * c.scale;
    map.slice_shift = bits_for(c.socket.l2.interleave_lines);
    map.packets = c.packets;
    return map;
}

} // namespace numavp
