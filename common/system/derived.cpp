#include "common/system/derived.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/values/address_layout.h"
#include "base/values/units.h"
#include "common/system/host_core_place.h"
#include "common/system/memory_choice.h"
#include "common/system/reduction_units.h"

namespace numavp {

namespace {
/// A memory's part for page tables: 8 times what its own pages need if they are the smallest and lie side by side.
constexpr unsigned kTableShare = 64;
} // namespace

PacketSizes packet_sizes(const SystemConfig& c) {
    PacketSizes sizes = c.packets;
    sizes.sectored = c.sectored();
    return sizes;
}

LinkConfig with_wires(const SystemConfig& c, LinkConfig link) {
    if (link.wire_depth == 0) link.wire_depth = link.packets_in_flight(packet_sizes(c).least_with_data(), c.clock_khz);
    return link;
}

std::vector<SocketGroup> socket_groups(const SystemConfig& c) {
    std::vector<SocketGroup> groups;
    const WiredParts parts(c);
    for (unsigned s = 0; s < c.sockets; ++s) {
        const SocketConfig* const config = &c.socket_at(s);
        const bool other_name = s != 0 && parts.name_of(s) != parts.name_of(s - 1);
        if (groups.empty() || groups.back().config != config || other_name)
            groups.push_back({{s, s}, config, ""});
        else
            groups.back().range.last = s;
    }
    for (SocketGroup& group : groups) group.text = parts.label(group.range);
    return groups;
}

std::vector<std::string> socket_names(const SystemConfig& c) {
    std::vector<std::string> names;
    const WiredParts parts(c);
    for (unsigned s = 0; s < c.sockets; ++s)
        names.push_back(c.parts.empty() ? "socket " + std::to_string(s) : parts.label(s));
    return names;
}

MemorySpeed memory_speed(const SystemConfig& c, const SocketConfig& s) {
    if (s.memory.model != MemoryModel::timed) return {s.memory.bandwidth_gbps * c.scale, s.memory.latency_ns};
    const MemoryDeviceConfig& d = s.memory.device;
    const double cycles = d.timing.rcd + d.timing.cl + d.timing.burst;
    return {d.channel_gbytes_per_s() * s.memory.channels * c.scale, cycles * 1e6 / static_cast<double>(d.clock_khz)};
}

SystemTotals system_totals(const SystemConfig& c) {
    SystemTotals sum;
    for (const SocketGroup& group : socket_groups(c)) {
        const SocketConfig& s = *group.config;
        const std::uint64_t times = std::uint64_t{group.range.count()} * c.scale;
        sum.sms += times * s.sms;
        sum.l2_bytes += times * s.l2.size_kib << 10;
        if (!s.has_memory()) continue;
        sum.memory_bytes += times * s.memory.capacity_gib << 30;
        sum.memory_gbps += group.range.count() * memory_speed(c, s).gbps;
    }
    return sum;
}

std::vector<SocketId> memory_homes(const SystemConfig& c) {
    std::vector<SocketId> homes;
    for (unsigned s = 0; s < c.sockets; ++s)
        if (c.socket_at(s).has_memory()) homes.emplace_back(s);
    return homes;
}

GpuSocketConfig socket_config(const SystemConfig& c, unsigned socket, unsigned core_ports) {
    GpuSocketConfig m;
    static_cast<SocketConfig&>(m) = c.socket_at(socket).scaled(c.scale);
    m.link = c.link_at(socket);
    m.mmu = c.translation;
    m.packets = packet_sizes(c);
    m.link = with_wires(c, m.link);
    m.l2.sectored = m.sm.l1.sectored = m.mmu.sectored = c.sectored();
    m.l2.replicas = c.replication.policy != ReplicationPolicy::none;
    m.l2.flushes_all = c.replication.flush == ReplicaFlush::all;
    m.core_ports = core_ports;
    m.has_link = end_count(c) > 1;
    const bool cores = host_core_socket(c) == SocketId(socket);
    m.device_ports =
        has_host_memory(c) || (has_copy_engines(c) && m.sms != 0) || cores ? 1 : 0; // of a copy engine, say
    if (m.has_memory()) m.memory.ports = m.l2.slices / m.memory.channels;
    // A link to a host makes no line remote, and without a memory all are.
    if (c.sockets == 1 || !m.has_memory()) m.partition.controller = WayPartitionKind::fixed;
    m.sm.l1.store_bytes_per_s = bytes_per_s(m.noc.request_bytes_per_cycle, m.noc_khz(c.clock_khz));
    m.sm.l1.shared_banks = m.sm.shared_banks;
    m.sm.l1.shared_cycles = m.sm.shared_cycles;
    m.sm.l1.partitioned = m.l2.role().ways == WayRule::quotas && m.partition.l1 && c.sockets > 1;
    m.mmu.wire_depth = m.sm.l1.wire_depth;
    m.mmu.bytes_per_s = m.sm.l1.store_bytes_per_s;
    m.mmu.memories = end_count(c);
    m.mmu.faults = has_driver(c);
    m.mmu.replicates = c.driver.replication_threshold != 0;
    if (has_driver(c))
        m.mmu.note_threshold = m.mmu.replicates ? c.driver.replication_threshold : c.driver.migration_threshold;
    return m;
}

std::optional<unsigned> replicating_socket(const SystemConfig& c) {
    for (unsigned s = 0; s < c.sockets; ++s) {
        const SocketConfig& own = c.socket_at(s);
        if (own.sms != 0 && own.has_memory() && own.l2.role().remote == RemoteLines::replicas) return s;
    }
    return std::nullopt;
}

ReplicationBandwidths replication_bandwidths(const SystemConfig& c, unsigned socket) {
    const SocketConfig& own = c.socket_at(socket);
    const auto mb_per_s = [](double bytes_per_second) {
        constexpr double kMost = (1 << 24) - 1; // the model's width
        return static_cast<std::uint64_t>(std::min(kMost, bytes_per_second / 1e6));
    };
    ReplicationBandwidths raw;
    const double l2_hertz = static_cast<double>(own.l2_khz(c.clock_khz)) * 1e3;
    raw.llc = mb_per_s(static_cast<double>(own.l2.slices) * own.l2.bytes_per_cycle * l2_hertz);
    raw.memory = mb_per_s(memory_speed(c, own).gbps * 1e9);
    const LinkConfig link = c.link_at(socket);
    raw.noc = has_network(c) ? mb_per_s(channel_bytes_per_s(c.network) * WiredParts(c).terminals_of(socket))
                             : mb_per_s(static_cast<double>(link.lanes_in * link.lane_bytes_per_s()));
    return raw;
}

std::uint64_t switch_bytes_per_s(const SystemConfig& c) {
    if (c.switch_.total_gbps > 0.0) return bytes_per_s(c.switch_.total_gbps);
    const std::uint64_t host = has_host_memory(c) ? bytes_per_s(c.host.link_gbps) : 0;
    std::uint64_t lanes = 0; // one way
    for (unsigned s = 0; s < c.sockets; ++s) lanes += (c.link_at(s).lanes_out + c.link_at(s).lanes_in) / 2;
    return lanes * c.link.lane_bytes_per_s() + host;
}

LinkCycles cycles_of_two_links(const SystemConfig& c) {
    std::vector<unsigned> cycles;
    for (unsigned s = 0; s < c.sockets; ++s) cycles.push_back(c.link_at(s).latency_cycles);
    if (cycles.size() < 2) return {2 * c.link.latency_cycles, 2 * c.link.latency_cycles};
    std::sort(cycles.begin(), cycles.end());
    return {cycles[0] + cycles[1], cycles[cycles.size() - 2] + cycles.back()};
}

DispatchConfig dispatch_config(const SystemConfig& c) {
    DispatchConfig m = c.dispatch;
    if (c.dispatch.starts == StartRate::socket) m.blocks_per_cycle *= c.scale; // its SMs are as many times more
    m.block_interval_cycles /= c.scale;
    return m;
}

std::vector<std::uint64_t> memory_sizes(const SystemConfig& c) {
    const std::vector<SocketId> homes = memory_homes(c);
    std::vector<std::uint64_t> sizes;
    for (std::size_t first = 0; first < homes.size(); first += c.placement.sockets_per_memory) {
        const std::uint64_t gib = c.socket_at(homes[first].value).memory.capacity_gib;
        sizes.push_back((gib << 30) * c.scale * c.placement.sockets_per_memory);
    }
    return sizes;
}

std::uint64_t memory_bytes(const SystemConfig& c) {
    const std::vector<std::uint64_t> sizes = memory_sizes(c);
    return *std::max_element(sizes.begin(), sizes.end());
}

/// The host's memory has a socket's range of addresses, however large it is.
std::uint64_t host_memory_bytes(const SystemConfig& c) {
    return std::min(std::uint64_t{c.host.capacity_gib} << 30, std::uint64_t{1} << address_map(c).socket_shift);
}

bool copies_by_engines(const SystemConfig& c) { return c.copies.mode == CopyMode::engines; }

bool has_copy_engines(const SystemConfig& c) {
    return copies_by_engines(c) || (c.copies.mode == CopyMode::none && c.copies.between_arrays);
}

bool has_driver(const SystemConfig& c) { return c.driver.execution != DriverExecution::none; }

bool has_host_memory(const SystemConfig& c) {
    if (c.translation.mode == TranslationMode::off) return false;
    const bool takes_time = has_driver(c) && c.driver.execution != DriverExecution::ideal;
    return takes_time || c.translation.tables == TableHome::host;
}

SocketId host_number(const SystemConfig& c) { return SocketId(c.sockets); }

unsigned end_count(const SystemConfig& c) { return first_reduction_unit(c) + reduction_units(c); }

TableRegion table_region(const SystemConfig& c) {
    const bool on_host = c.translation.tables == TableHome::host;
    const std::uint64_t whole = on_host ? host_memory_bytes(c) : memory_bytes(c);
    TableRegion region;
    region.first = on_host ? own_memory(host_number(c)) : MemoryId(0);
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
    const std::vector<SocketId> homes = memory_homes(c);
    m.memories = static_cast<unsigned>(homes.size()) / c.placement.sockets_per_memory;
    if (m.memories != c.sockets) m.near = near_memories(c);
    m.capacity_bytes = memory_bytes(c);
    m.own_bytes = memory_sizes(c);
    const auto other = [&](std::uint64_t bytes) { return bytes != m.capacity_bytes; };
    if (std::none_of(m.own_bytes.begin(), m.own_bytes.end(), other)) m.own_bytes.clear();
    m.page_bytes = c.placement.page_bytes();
    m.address_bits = c.placement.address_bits;
    if (c.translation.mode != TranslationMode::off && c.translation.tables == TableHome::sockets)
        m.reserved_bytes = memory_bytes(c) / kTableShare;
    return m;
}

AddressMap address_map(const SystemConfig& c) {
    AddressMap map;
    std::vector<SocketId> homes = memory_homes(c);
    map.memories = static_cast<unsigned>(homes.size()) / c.placement.sockets_per_memory;
    map.parts_shift = bits_for(c.placement.sockets_per_memory);
    map.socket_shift = AddressLayout(map.memories, memory_bytes(c)).socket_shift();
    if (map.memories != c.sockets) map.homes = std::move(homes);
    const auto slicing = [&](unsigned s) {
        Slicing own = c.socket_at(s).slicing(c.scale);
        if (c.socket_at(s).has_memory()) own.shift += map.parts_shift; // of a memory's lines it has one in so many
        return own;
    };
    map.slicing = slicing(0);
    if (socket_groups(c).size() > 1)
        for (unsigned s = 0; s < c.sockets; ++s) map.of_sockets.push_back(slicing(s));
    if (!map.of_sockets.empty()) // a unit has no slices
        map.of_sockets.resize(map.of_sockets.size() + reduction_units(c), Slicing{1});
    map.packets = packet_sizes(c);
    return map;
}

void check_energy(const SystemConfig& c, const Place& place) {
    const Place here = place.at("energy");
    if (!c.energy.given()) return;
    if (c.energy.network.form == NetworkForm::crossbars && !has_network(c))
        throw ConfigError(here.at("network").at("form"),
                          "no network of routers joins the sockets; packages is allowed, "
                          "or a network.topology");
    if (c.energy.noc.form != NocForm::crossbars) return;
    const NocEnergyConfig& noc = c.energy.noc;
    const double reached = std::pow(noc.ports, noc.stages);
    for (const SocketGroup& group : socket_groups(c)) {
        const unsigned routers = group.config->noc.router_ports;
        if (routers != 0 && (noc.ports != routers || noc.stages != group.config->noc.stages()))
            throw ConfigError(here.at("noc"),
                              fmt::format("{} stages of crossbars with {} ports, and the routers of {} "
                                          "have {} in {} stages; as many are allowed",
                                          noc.stages, noc.ports, group.name(), routers, group.config->noc.stages()));
        const unsigned lanes = std::max(group.config->sms, group.config->l2.slices) * c.scale;
        if (reached < lanes)
            throw ConfigError(
                here.at("noc").at("stages"),
                fmt::format("{} stages of crossbars with {} ports join {:g} ends, {} has {}; more of either "
                            "are expected",
                            noc.stages, noc.ports, reached, group.name(), lanes));
    }
}

} // namespace numavp
