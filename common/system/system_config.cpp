#include "common/system/system_config.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "common/system/changed_system.h"
#include "common/system/derived.h"
#include "common/system/driver_policy.h"
#include "common/system/faulty_network.h"
#include "common/system/host_core_place.h"
#include "common/system/memory_choice.h"
#include "common/system/place_at_path.h"
#include "common/system/wired_network.h"
#include "rtl/blocks.h"
#include "sw/driver/policy.h"

namespace numavp {

namespace {
bool power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

void cache_size(const Place& place, std::uint64_t kib, unsigned parts, unsigned ways) {
    const std::uint64_t bytes = kib * 1024;
    const std::uint64_t set_bytes = std::uint64_t{parts} * ways * kLineBytes;
    if (bytes % set_bytes != 0)
        throw ConfigError(place.str(), fmt::format("{} KiB in {} parts of {} ways are no whole sets of 128-byte lines; "
                                                   "a multiple of {} bytes is allowed",
                                                   kib, parts, ways, set_bytes));
}

/// Checks the device that the memory model timed takes.
void check_timed_memory(const MemoryConfig& m, const Place& place) {
    if (m.model != MemoryModel::timed) return;
    const MemoryDeviceConfig& d = m.device;
    if (d.is_cube())
        throw ConfigError(place.at("cube").at("links").str(),
                          "a memory channel of a socket has no links of its own; 0 is allowed");
    if (d.access_bytes > kLineBytes)
        throw ConfigError(place.at("access_bytes").str(),
                          fmt::format("{} bytes are more than a line; {} are allowed", d.access_bytes, kLineBytes));
    if (d.queue_depth * d.access_bytes < kLineBytes)
        throw ConfigError(place.at("queue_depth").str(),
                          fmt::format("{} accesses of {} bytes are less than a line; {} are allowed", d.queue_depth,
                                      d.access_bytes, kLineBytes / d.access_bytes));
    const std::uint64_t capacity = std::uint64_t{m.capacity_gib} << 30;
    if (d.decoder().capacity() < capacity / m.channels)
        throw ConfigError(place.at("address").str(),
                          fmt::format("{} channels of {} MiB for a memory of {} GiB; devices that hold it are allowed",
                                      m.channels, d.decoder().capacity() >> 20, m.capacity_gib));
}
} // namespace

namespace {
void fail_unless_rtl(const Place& place, bool asked, const char* twin) {
    if (asked && !rtl::missing().empty())
        throw ConfigError(place.str(), fmt::format("{0}_rtl asks for an RTL block, and {1}; {0} decides alike", twin,
                                                   rtl::missing()));
}

/// A decision takes effect before the next sample.
void check_in_time(const Place& place, unsigned decision, unsigned sample) {
    if (decision > sample)
        throw ConfigError(place.str(),
                          fmt::format("a decision takes effect after {} cycles, beyond the next sample; at "
                                      "most the {} of sample_cycles are allowed",
                                      decision, sample));
}

/// Clocks of a socket's parts.
void check_clocks(const SocketClocks& clocks, const Place& place) {
    constexpr unsigned kLeast = 1000; // kHz, as of every other clock
    const auto check = [&](const char* name, std::uint64_t khz) {
        if (khz != 0 && khz < kLeast)
            throw ConfigError(place.at(name).str(),
                              fmt::format("{} kHz; {} or more is allowed, or 0 for the core's clock", khz, kLeast));
    };
    check("noc", clocks.noc);
    check("l2", clocks.l2);
    check("sm", clocks.sm);
}

/// Two stages of routers, as many in each: an SM of each router has a channel to each router of slices.
void check_routers(const SocketConfig& socket, const Place& place) {
    const unsigned ports = socket.noc.router_ports;
    if (ports == 0) return;
    const unsigned routers = socket.sms / ports;
    if (socket.sms != socket.l2.slices || socket.sms % ports != 0 || routers == 0 || ports % routers != 0)
        throw ConfigError(
            place.at("router_ports").str(),
            fmt::format("{} SMs and {} slices at routers of {} ports; 0 is allowed, or with as many SMs as "
                        "slices a number of ports that divides theirs and is a multiple of that of the "
                        "routers",
                        socket.sms, socket.l2.slices, ports));
    if (socket.noc.latency_cycles < 2)
        throw ConfigError(place.at("latency_cycles").str(),
                          "1 cycle for two stages of routers; with router_ports 2 or more are allowed");
}

/// What the fields of a socket must obey among themselves; `place` is the socket's.
void check_socket(const SocketConfig& socket, bool sectored, const Place& place) {
    const auto fail = [&](const char* where, const std::string& what) {
        throw ConfigError(at_path(place, where).str(), what);
    };
    const L2Config& l2 = socket.l2;
    const L1Config& l1 = socket.sm.l1;
    if (socket.has_memory() && l2.slices % socket.memory.channels != 0)
        fail("l2.slices",
             fmt::format("{} slices over {} memory channels; the number of slices must be a multiple of that "
                         "of channels",
                         l2.slices, socket.memory.channels));
    cache_size(at_path(place, "l2.size_kib"), l2.size_kib, l2.slices, l2.ways);
    if (!l2.has_cache() && l2.role().remote != RemoteLines::none)
        fail("l2.organisation", fmt::format("{} says what a cache holds, and l2.size_kib is 0; memory_side is allowed",
                                            kL2Organisations.name(l2.organisation)));
    cache_size(at_path(place, "sm.l1.size_kib"), l1.size_kib, 1, l1.ways);
    if (socket.memory.cache.given())
        cache_size(at_path(place, "memory.cache.size_kib"), socket.memory.cache.size_kib, l2.slices,
                   socket.memory.cache.ways);
    if (l2.reserved_home_entries >= l2.entries)
        fail("l2.reserved_home_entries", fmt::format("{} of {} entries are reserved; at least one must be left",
                                                     l2.reserved_home_entries, l2.entries));
    if (l2.role().ways == WayRule::split && l2.static_remote_ways >= l2.ways)
        fail("l2.static_remote_ways",
             fmt::format("{} of {} ways are remote; at least one must be local", l2.static_remote_ways, l2.ways));
    if (l2.role().ways == WayRule::quotas && (l2.ways < 2 || l1.ways < 2))
        fail("l2.organisation", "numa_aware partitions ways; L1 and L2 need at least 2 ways each");
    if (socket.sm.schedulers > socket.sm.warps)
        fail("sm.schedulers", fmt::format("{} schedulers for {} warps; at most one a warp is allowed",
                                          socket.sm.schedulers, socket.sm.warps));
    fail_unless_rtl(at_path(place, "partition.controller"),
                    socket.partition.controller == WayPartitionKind::numa_aware_rtl, "numa_aware");
    if (!power_of_two(l2.interleave_lines) ||
        (l2.interleave_lines != 1 && socket.memory.model == MemoryModel::axi4_rtl))
        fail("l2.interleave_lines",
             fmt::format("{} consecutive lines a slice; a power of two is allowed, and 1 with memory.model axi4_rtl",
                         l2.interleave_lines));
    if (l2.pair_lines != 0 && l2.slices % 2 != 0)
        fail("l2.pair_lines",
             fmt::format("{} slices are no pairs; 0 is allowed, or an even number of l2.slices", l2.slices));
    if (l2.pair_lines != 0 && (!power_of_two(l2.pair_lines) || l2.pair_lines < 2 * l2.interleave_lines ||
                               socket.memory.model == MemoryModel::axi4_rtl))
        fail("l2.pair_lines",
             fmt::format(
                 "{} lines of two slices; 0 is allowed, and unless memory.model is axi4_rtl powers of two from {} "
                 "on, twice l2.interleave_lines",
                 l2.pair_lines, 2 * l2.interleave_lines));
    if (l2.fetch_bytes != 0 && (!sectored || (l2.fetch_bytes != 2 * kSectorBytes && l2.fetch_bytes != kLineBytes)))
        fail("l2.fetch_bytes",
             fmt::format("{} bytes; 0 is allowed, and with sector_bytes 32 also 64 and 128", l2.fetch_bytes));
    if (l2.partial_lines != 0 && !sectored)
        fail("l2.partial_lines",
             fmt::format("{} lines with sectors written in part, of lines without sectors; 0 is allowed, or "
                         "sector_bytes 32",
                         l2.partial_lines));
    if (socket.noc.input_fifo && socket.noc.packet_cycles == 0)
        fail("noc.input_fifo", "queues that block take packets; set socket.noc.packet_cycles to 1 or more");
    if (socket.memory.model == MemoryModel::axi4_rtl) {
        if (!rtl::missing().empty())
            fail("memory.model",
                 fmt::format("axi4_rtl asks for an RTL block, and {}; channel has the same latency and bandwidth",
                             rtl::missing()));
        if (l2.slices != socket.memory.channels)
            fail("l2.slices",
                 fmt::format("{} slices for {} channels with the memory model axi4_rtl; one slice a channel is allowed",
                             l2.slices, socket.memory.channels));
    }
    check_clocks(socket.clocks_khz, place.at("clocks_khz"));
    fail_unless_rtl(at_path(place, "link.cut"), socket.own_link.cut == LinkCutKind::flits_rtl, "flits");
    check_timed_memory(socket.memory, at_path(place, "memory.device"));
    check_in_time(at_path(place, "partition.decision_cycles"), socket.partition.decision_cycles,
                  socket.partition.sample_cycles);
}

void check_network_cuts(const NetworkSystemConfig& network, const Place& place) {
    fail_unless_rtl(place.at("cut"), network.dress.cut == LinkCutKind::flits_rtl, "flits");
    for (std::size_t k = 0; k < network.links.size(); ++k)
        fail_unless_rtl(place.at("links").at(k).at("cut"), network.links[k].dress.cut == LinkCutKind::flits_rtl,
                        "flits");
}

/// Memories of several sockets.
void check_memories(const SystemConfig& c, const Place& place) {
    const unsigned parts = c.placement.sockets_per_memory;
    if (parts == 1) return;
    const auto homes = static_cast<unsigned>(memory_homes(c).size());
    const Place here = at_path(place, "placement.sockets_per_memory");
    if (!power_of_two(parts) || homes % parts != 0)
        throw ConfigError(here.str(),
                          fmt::format("{} sockets have memory, and {} of them a memory; a power of two that "
                                      "divides their number is allowed",
                                      homes, parts));
    if (c.translation.mode != TranslationMode::off)
        throw ConfigError(here.str(), "with translation a page lies in one socket's memory; 1 is allowed, or "
                                      "translation.mode off");
}

/// Slices that keep copies of another socket's lines when a kernel ends.
void check_directory(const SystemConfig& c, const SocketConfig& socket, const Place& here) {
    if (socket.l2.has_directory() != c.socket_at(0).l2.has_directory())
        throw ConfigError(here.str(), fmt::format("{} here and {} in socket 0; the same is allowed",
                                                  kL2Coherences.name(socket.l2.coherence),
                                                  kL2Coherences.name(c.socket_at(0).l2.coherence)));
    if (!socket.l2.has_directory()) return;
    if (socket.l2.role().remote != RemoteLines::all || socket.l2.role().ways != WayRule::contended)
        throw ConfigError(here.str(), fmt::format("a directory keeps copies in the organisation coherent right, and "
                                                  "l2.organisation is {}; flushes is allowed, or that organisation",
                                                  kL2Organisations.name(socket.l2.organisation)));
    if (c.sockets != 2)
        throw ConfigError(here.str(), fmt::format("a directory notes copies of one other socket, and there are {}; "
                                                  "flushes is allowed, or 2 sockets",
                                                  c.sockets));
    if (has_host_memory(c))
        throw ConfigError(here.str(), "the host's memory has no directory; flushes is allowed, or a machine without a "
                                      "driver and tables on its host");
}

/// Clocks of the whole machine.
void check_clocks(const SystemConfig& c, const Place& place) {
    std::set<std::uint64_t> clocks{c.clock_khz};
    if (has_network(c)) clocks.insert(c.network.noc_khz);
    if (has_driver(c)) clocks.insert(c.driver.clock_khz);
    for (unsigned s = 0; s < c.sockets; ++s) {
        const SocketConfig& own = c.socket_at(s);
        clocks.insert({own.sm_khz(c.clock_khz), own.noc_khz(c.clock_khz), own.l2_khz(c.clock_khz)});
        if (own.sms != 0 && own.sm_khz(c.clock_khz) != c.clock_khz && c.translation.mode == TranslationMode::full)
            throw ConfigError(at_path(place.at(c.own_sockets.name_of("socket", s)), "clocks_khz.sm").str(),
                              "TLBs and walkers have the core's clock; 0 is allowed, or another translation.mode");
        if (clocks.size() > kMostClocks)
            throw ConfigError(at_path(place.at(c.own_sockets.name_of("socket", s)), "clocks_khz").str(),
                              fmt::format("more than {} clocks of different frequencies, the core's, the network's and "
                                          "the driver's among them; at most {} are allowed",
                                          kMostClocks, kMostClocks));
    }
}

/// What sockets that differ must have in common.
void check_sockets(const SystemConfig& c, const Place& place) {
    check_socket(c.socket, c.sectored(), place.at("socket"));
    for (const auto& one : c.own_sockets.all) check_socket(one.config, c.sectored(), place.at(one.key_of("socket")));
    unsigned capacity = 0, sms = 0;
    for (unsigned s = 0; s < c.sockets; ++s) {
        const SocketConfig& own = c.socket_at(s);
        sms += own.sms;
        const Place socket = &own == &c.socket ? place.at("socket") : place.at(c.own_sockets.name_of("socket", s));
        check_directory(c, own, at_path(socket, "l2.coherence"));
        check_routers(own.scaled(c.scale), socket.at("noc"));
        const unsigned gib = own.memory.capacity_gib;
        capacity = std::max(capacity, gib);
        if (gib == 0 && c.translation.mode != TranslationMode::off)
            throw ConfigError(capacity_place(c, s, place).str(),
                              "with translation each socket has a memory, in which table pages lie; 1 GiB or "
                              "more is allowed, or translation.mode off");
    }
    check_memories(c, place);
    check_memory_sizes(c, place);
    if (capacity == 0)
        throw ConfigError(at_path(place, "socket.memory.capacity_gib").str(),
                          "no socket has a memory; 1 GiB or more is allowed, in one socket at least");
    if (sms == 0)
        throw ConfigError(at_path(place, c.parts.empty() ? "socket.sms" : c.parts[0].name + ".sms").str(),
                          "no socket has an SM; 1 or more is allowed, in one socket at least");
}

/// What moves sectors: all but what moves whole lines between pins.
void check_sectors(const SystemConfig& c, const Place& place) {
    const Place here = place.at("sector_bytes");
    if (c.sector_bytes != 0 && c.sector_bytes != kSectorBytes)
        throw ConfigError(here.str(),
                          fmt::format("{} bytes; 0 is allowed, for whole lines, or {}", c.sector_bytes, kSectorBytes));
    if (!c.sectored()) return;
    if (cuts_a_link(c))
        throw ConfigError(here.str(), "flits of a cut link carry whole lines; 0 is allowed, or link.cut none");
    for (const SocketGroup& group : socket_groups(c))
        if (group.config->memory.model == MemoryModel::axi4_rtl)
            throw ConfigError(here.str(), "the RTL channel behind AXI4 reads whole lines; 0 is allowed, or another "
                                          "memory.model");
}

/// Orders that speak of the socket of each place hold where blocks go round the sockets.
void check_block_order(const SystemConfig& c, const Place& place) {
    const BlockOrderPolicy policy = c.dispatch.order.policy;
    const bool by_socket = policy == BlockOrderPolicy::hq_minor_swz || policy == BlockOrderPolicy::windowed;
    const bool in_turn = c.dispatch.split == BlockSplit::modulo || c.dispatch.split == BlockSplit::persistent;
    if (by_socket && !in_turn && c.sockets > 1)
        throw ConfigError(
            at_path(place, "dispatch.order.policy").str(),
            fmt::format("{} is for blocks that go round the sockets, and dispatch.split is {}; modulo and "
                        "persistent are allowed with it",
                        kBlockOrders.name(policy), kBlockSplits.name(c.dispatch.split)));
}
} // namespace

void SystemConfig::validate(const Place& place) const {
    const auto fail = [&](const char* where, const std::string& what) {
        throw ConfigError(at_path(place, where).str(), what);
    };
    check_parts(*this, place);
    check_sectors(*this, place);
    check_sockets(*this, place);
    check_clocks(*this, place);
    check_memory_choice(*this, place);
    check_host_core(*this, place);
    check_energy(*this, place);
    check_block_order(*this, place);
    if (!power_of_two(placement.page_kib))
        fail("placement.page_kib",
             fmt::format("{} KiB is not a power of two; 4 to 2048 are allowed", placement.page_kib));
    if (placement.policy == PlacementKind::first_touch_tree && placement.page_kib > 64)
        fail("placement.page_kib",
             fmt::format("{} KiB with first_touch_tree; at most 64 are allowed, a leaf of the driver's tree",
                         placement.page_kib));
    if (translation.l2_entries % translation.l2_ways != 0)
        fail("translation.l2_entries", fmt::format("{} entries in {} ways; a multiple of the ways is allowed",
                                                   translation.l2_entries, translation.l2_ways));
    if (translation.shared && translation.mode != TranslationMode::full)
        fail("translation.shared",
             fmt::format("translation.mode is {}, and TLBs and walkers are those of full; false is "
                         "allowed, or that mode",
                         kTranslationModes.name(translation.mode)));
    if (translation.shared && translation.shared_at >= sockets)
        fail("translation.shared_at",
             fmt::format("socket {} of {}; 0 to {} are allowed", translation.shared_at, sockets, sockets - 1));
    if (translation.mode != TranslationMode::off && placement.interleaves())
        fail("translation.mode",
             fmt::format("a page table gives each page one place, and {} spreads it over all memories; off is allowed, "
                         "or another placement.policy",
                         kPlacements.name(placement.policy)));
    if (driver.execution != DriverExecution::none && translation.mode == TranslationMode::off)
        fail("driver.execution",
             "a driver serves page faults, and without translation nothing faults; none is allowed, "
             "or translation.mode ideal or full");
    check_driver_policy(driver, at_path(place, "driver"));
    if (driver.execution == DriverExecution::ideal && driver.fill != PageFill::nothing)
        fail("driver.fill", "the ideal execution has no time to fill a page; nothing is allowed, or native and riscv");
    if (driver.execution == DriverExecution::ideal && driver.migration_threshold != 0)
        fail("driver.migration_threshold",
             "the ideal execution has no time to move a page; 0 is allowed, or native and riscv");
    if (driver.replication_threshold != 0 &&
        (driver.execution == DriverExecution::none || driver.execution == DriverExecution::ideal))
        fail("driver.replication_threshold",
             fmt::format("the {} execution has no {} to copy a page; 0 is allowed, or native and riscv",
                         kDriverExecutions.name(driver.execution),
                         driver.execution == DriverExecution::none ? "driver" : "time"));
    if (driver.replication_threshold != 0 && driver.migration_threshold != 0)
        fail("driver.replication_threshold",
             "a note of remote accesses moves the page or copies it; 0 is allowed, or driver.migration_threshold 0");
    if (sockets > kPolicyMaxSockets && driver.execution != DriverExecution::none)
        fail("sockets", fmt::format("{} sockets with a driver; {} are allowed, the width of its mask of sockets",
                                    sockets, unsigned{kPolicyMaxSockets}));
    if (replication.policy != ReplicationPolicy::none && !replicating_socket(*this))
        fail("replication.policy", fmt::format("{} asks for slices that replicate, and no socket with SMs and memory "
                                               "has l2.organisation replicating; none is allowed",
                                               kReplicationPolicies.name(replication.policy)));
    if (replication.policy == ReplicationPolicy::model_rtl && replication.expects != ReplicationExpectation::bandwidths)
        fail("replication.expects", fmt::format("{} is not in rtl/replication_model.sv; bandwidths is allowed, or "
                                                "replication.policy model",
                                                kReplicationExpectations.name(replication.expects)));
    fail_unless_rtl(at_path(place, "replication.policy"), replication.policy == ReplicationPolicy::model_rtl, "model");
    fail_unless_rtl(at_path(place, "link.balancer"), link.balancer == LaneBalancerKind::dynamic_rtl, "dynamic");
    fail_unless_rtl(at_path(place, "link.cut"), link.cut == LinkCutKind::flits_rtl, "flits");
    check_network_cuts(network, at_path(place, "network"));
    if (!has_network(*this) && sockets > kMaxPairedSockets)
        fail(parts.empty() ? "sockets" : "parts",
             fmt::format("{} sockets at one switch; {} are allowed, or routers, as with network.topology mesh", sockets,
                         kMaxPairedSockets));
    check_faults(*this, place);
    if (has_network(*this)) system_network(*this, place);
    if (network.topology != FabricKind::wires) refuse_wires(*this, at_path(place, "network"));
    check_in_time(at_path(place, "link.decision_cycles"), link.decision_cycles, link.sample_cycles);
    if (sockets > 1 && scale > 1) fail("scale", "a larger hypothetical GPU has one socket; set sockets to 1");
    if (changes.given()) changed_systems(*this, place.at("changes"));
}

} // namespace numavp
