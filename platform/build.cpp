#include "platform/build.h"

#include <algorithm>

#include "models/base/address_layout.h"
#include "platform/units.h"

namespace numavp {

namespace {
/// A memory's part for page tables: 8 times what its own pages need if they are the smallest and lie side by side.
constexpr unsigned kTableShare = 64;

std::uint64_t per_cycle(unsigned bytes, std::uint64_t khz) { return bytes * khz * 1000; }

SmConfig sm_config(const SystemConfig& c) {
    const SmSystemConfig& s = c.socket.sm;
    SmConfig m;
    m.warps = s.warps;
    m.block_slots = s.block_slots;
    m.registers = s.registers;
    m.shared_bytes = s.shared_kib * 1024;
    m.schedulers = s.schedulers;
    m.scheduler = s.scheduler;
    m.compute_cycles = s.compute_cycles;
    m.shared_cycles = s.shared_cycles;
    m.l1.sets = s.l1.size_kib * 1024 / (s.l1.ways * kLineBytes);
    m.l1.ways = s.l1.ways;
    m.l1.hit_cycles = s.l1.hit_cycles;
    m.l1.miss_cycles = s.l1.miss_cycles;
    m.l1.entries = s.l1.miss_entries;
    m.l1.merges = s.l1.merges;
    m.l1.queue_depth = s.l1.queue_depth;
    m.l1.wire_depth = s.l1.wire_depth;
    m.l1.ports = s.l1.lines_per_cycle;
    m.l1.store_bytes_per_s = per_cycle(c.socket.noc.request_bytes_per_cycle, c.clock_khz);
    m.l1.partitioned = c.socket.l2.organisation == L2Organisation::numa_aware && c.socket.partition.l1 && c.sockets > 1;
    return m;
}

SliceConfig slice_config(const SystemConfig& c) {
    const L2SystemConfig& l = c.socket.l2;
    SliceConfig m;
    m.sets = l.size_kib * 1024 / (l.slices * l.ways * kLineBytes);
    m.ways = l.ways;
    m.entries = l.entries;
    m.reserved_home = l.reserved_home_entries;
    m.merges = l.merges;
    m.queue_depth = l.queue_depth;
    m.wire_depth = l.wire_depth;
    m.hit_cycles = l.hit_cycles;
    m.miss_cycles = l.miss_cycles;
    m.fill_cycles = l.fill_cycles;
    m.data_bytes_per_s = per_cycle(l.bytes_per_cycle, c.clock_khz);
    m.organisation = l.organisation;
    m.write_policy = l.write_policy;
    m.incoming_allocate = l.incoming_allocate;
    m.invalidate = l.invalidate;
    m.remote_ways = l.static_remote_ways;
    return m;
}

MmuConfig mmu_config(const SystemConfig& c) {
    const TranslationSystemConfig& t = c.translation;
    MmuConfig m;
    m.mode = t.mode;
    m.l1_entries = t.l1_entries;
    m.l1_cycles = t.l1_cycles;
    m.waiting = t.waiting;
    m.l2_entries = t.l2_entries;
    m.l2_ways = t.l2_ways;
    m.l2_cycles = t.l2_cycles;
    m.l2_ports = t.l2_ports;
    m.walkers = t.walkers;
    m.wire_depth = c.socket.sm.l1.wire_depth;
    m.bytes_per_s = per_cycle(c.socket.noc.request_bytes_per_cycle, c.clock_khz);
    m.memories = c.sockets + (has_host_memory(c) ? 1 : 0);
    m.faults = has_driver(c);
    m.migration_threshold = c.driver.migration_threshold;
    return m;
}

LinkConfig link_config(const SystemConfig& c) {
    const LinkSystemConfig& l = c.link;
    LinkConfig m;
    m.lanes_out = l.lanes_out;
    m.lanes_in = l.lanes_in;
    m.lane_bytes_per_s = bytes_per_s(l.lane_gbps);
    m.latency_cycles = l.latency_cycles;
    m.queue_depth = l.queue_depth;
    m.wire_depth = l.wire_depth;
    m.balancer = l.balancer;
    m.sample_cycles = l.sample_cycles;
    m.switch_cycles = l.switch_cycles;
    m.decision_cycles = l.decision_cycles;
    m.saturation_percent = l.saturation_percent;
    m.energy_pj_per_bit = l.energy_pj_per_bit;
    return m;
}
} // namespace

GpuSocketConfig socket_config(const SystemConfig& c, unsigned core_ports) {
    const MemorySystemConfig& memory = c.socket.memory;
    GpuSocketConfig m;
    m.sms = c.socket.sms * c.scale;
    m.core_ports = core_ports;
    m.channels = memory.channels * c.scale;
    m.slices = c.socket.l2.slices * c.scale;
    m.has_link = c.sockets > 1 || has_host_memory(c);
    m.device_ports = has_host_memory(c) ? 1 : 0; // of the copy engine
    m.sm = sm_config(c);
    m.slice = slice_config(c);
    m.mmu = mmu_config(c);
    m.noc.queue_depth = c.socket.noc.queue_depth;
    m.noc.wire_depth = c.socket.noc.wire_depth;
    m.noc.latency_cycles = c.socket.noc.latency_cycles;
    m.noc.request_bytes_per_s = per_cycle(c.socket.noc.request_bytes_per_cycle, c.clock_khz);
    m.noc.response_bytes_per_s = per_cycle(c.socket.noc.response_bytes_per_cycle, c.clock_khz);
    m.device = memory.device;
    m.channel.ports = c.socket.l2.slices / memory.channels;
    m.channel.bytes_per_s = bytes_per_s(memory.bandwidth_gbps) / memory.channels;
    m.channel.latency_cycles = static_cast<unsigned>(cycles_of(memory.latency_ns, c.clock_khz));
    m.channel.queue_depth = memory.queue_depth;
    m.channel.wire_depth = memory.queue_depth * 4;
    m.link = link_config(c);
    PartitionSystemConfig p = c.socket.partition;
    if (c.sockets == 1) p.controller = WayPartitionKind::fixed; // a link to a host makes no line remote
    m.partition = {p.controller,
                   p.sample_cycles,
                   p.decision_cycles,
                   p.saturation_percent,
                   p.l1,
                   c.packets.header_bytes,
                   kLineBytes + c.packets.header_bytes};
    return m;
}

std::uint64_t switch_bytes_per_s(const SystemConfig& c) {
    if (c.switch_.total_gbps > 0.0) return bytes_per_s(c.switch_.total_gbps);
    const std::uint64_t host = has_host_memory(c) ? bytes_per_s(c.host.link_gbps) : 0;
    return c.sockets * std::uint64_t{(c.link.lanes_out + c.link.lanes_in) / 2} * bytes_per_s(c.link.lane_gbps) + host;
}

CrossbarConfig switch_config(const SystemConfig& c) {
    CrossbarConfig m;
    m.ingress = m.egress = c.sockets + (has_host_memory(c) ? 1 : 0);
    m.queue_depth = c.switch_.queue_depth;
    m.wire_depth = c.switch_.wire_depth;
    m.latency_cycles = c.switch_.latency_cycles;
    // A port of the switch carries whatever the lanes behind it can: all of them one way.
    m.request_bytes_per_s = m.response_bytes_per_s =
        (c.link.lanes_out + c.link.lanes_in) * bytes_per_s(c.link.lane_gbps);
    m.total_bytes_per_s = switch_bytes_per_s(c);
    m.part = Part::link;
    m.counted_ports = c.sockets;
    return m;
}

DispatchConfig dispatch_config(const SystemConfig& c) {
    return {c.dispatch.split, c.dispatch.launch_cycles, c.dispatch.blocks_per_cycle * c.scale};
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
    return RadixLayout(c.placement.address_bits, bits_for(std::uint64_t{c.placement.page_kib} * 1024));
}

PageTableParams page_table_params(const SystemConfig& c) {
    PageTableParams m;
    m.sockets = c.sockets;
    m.capacity_bytes = memory_bytes(c);
    m.page_bytes = std::uint64_t{c.placement.page_kib} * 1024;
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
    map.packets.header_bytes = c.packets.header_bytes;
    return map;
}

} // namespace numavp
