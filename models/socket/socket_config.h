/// Configuration of a GPU socket, made of the configurations of its modules.
#pragma once

#include "base/values/address_layout.h"
#include "models/cache/l2_config.h"
#include "models/cache/way_partition_kind.h"
#include "models/memory/channel/memory_config.h"
#include "models/mmu/mmu_config.h"
#include "models/sm/sm_config.h"
#include "tlm-links/crossbar/crossbar_config.h"
#include "tlm-links/edge/clock_crossing_config.h"
#include "tlm-links/link/link_config.h"
#include "tlm-links/protocol/address_map.h"

namespace numavp {

/// Clocks of a socket's parts that are not the core's, in kHz; 0: the core's.
struct SocketClocks {
    std::uint64_t noc = 0; ///< the crossbar
    std::uint64_t l2 = 0;  ///< slices, and the ports and queues of memory channels
    std::uint64_t sm = 0;  ///< SMs with their L1s
};

/// What of a socket's link differs from the common one; 0 and none: nothing.
struct SocketLink {
    unsigned lanes_out = 0, lanes_in = 0, latency_cycles = 0;
    LinkCutKind cut = LinkCutKind::none;
    LinkConfig of(LinkConfig common) const {
        if (lanes_out != 0) common.lanes_out = lanes_out;
        if (lanes_in != 0) common.lanes_in = lanes_in;
        if (latency_cycles != 0) common.latency_cycles = latency_cycles;
        if (cut != LinkCutKind::none) common.cut = cut;
        return common;
    }
};

struct SocketConfig {
    unsigned sms = 64;
    SocketClocks clocks_khz;
    CrossingConfig crossing;
    SocketLink own_link;
    SmConfig sm;
    NocConfig noc;
    L2Config l2;
    WayPartitionConfig partition;
    MemoryConfig memory;

    bool has_memory() const { return memory.capacity_gib != 0; }
    /// `core`: the system's `clock_khz`.
    std::uint64_t noc_khz(std::uint64_t core) const { return clocks_khz.noc != 0 ? clocks_khz.noc : core; }
    std::uint64_t l2_khz(std::uint64_t core) const { return clocks_khz.l2 != 0 ? clocks_khz.l2 : core; }
    std::uint64_t sm_khz(std::uint64_t core) const { return clocks_khz.sm != 0 ? clocks_khz.sm : core; }
    Slicing slicing(unsigned scale) const {
        const unsigned shift = bits_for(l2.interleave_lines);
        return {l2.slices * scale, shift, l2.pair_lines == 0 ? 0 : bits_for(l2.pair_lines) - shift};
    }
    /// A socket with `times` as many SMs, L2 slices and memory channels, and as much L2, memory bandwidth and capacity.
    SocketConfig scaled(unsigned times) const {
        SocketConfig larger = *this;
        larger.sms *= times;
        larger.l2.slices *= times;
        larger.l2.size_kib *= times;
        larger.memory.channels *= times;
        larger.memory.bandwidth_gbps *= times;
        larger.memory.capacity_gib *= times;
        larger.memory.cache.size_kib *= times;
        return larger;
    }
};

template <class V> void describe(V& v, SocketClocks& c) {
    v.integer(
        "noc", c.noc, 0, 100000000, "kHz",
        "Clock of the crossbar, in whose cycles its settings are (memory networks, Table I: 1250 MHz); 0: clock_khz.");
    v.integer("l2", c.l2, 0, 100000000, "kHz",
              "Clock of the L2's slices and the queues of their channels, in whose cycles the slices' settings are "
              "(memory networks, Table I: 700 MHz); 0: clock_khz.");
    v.integer("sm", c.sm, 0, 100000000, "kHz",
              "Clock of the SMs with their L1s, in whose cycles the settings of socket.sm are; 0: clock_khz. Not with "
              "translation.mode full.");
}
template <class V> void describe(V& v, SocketLink& c) {
    v.integer("lanes_out", c.lanes_out, 0, 64, "lanes", "Lanes wired from this socket; 0: link.lanes_out.");
    v.integer("lanes_in", c.lanes_in, 0, 64, "lanes", "Lanes wired to this socket; 0: link.lanes_in.");
    v.integer("latency_cycles", c.latency_cycles, 0, 100000, "cycles",
              "Latency from this socket to the switch or network, one way; 0: link.latency_cycles.");
    v.choice("cut", c.cut, kLinkCuts, "Module between this link and the switch or network; none: link.cut.");
}
template <class V> void describe(V& v, SocketConfig& c) {
    v.integer("sms", c.sms, 0, 1024, "SMs",
              "Number of streaming multiprocessors (NUMA-aware GPUs, Table 1: 64); 0: a memory with its L2 alone.");
    v.object("clocks_khz", c.clocks_khz, "Clocks of parts that differ from the core clock, clock_khz.");
    v.object("crossing", c.crossing, "Settings of each wire between parts of different clocks.");
    v.object("link", c.own_link, "Settings in which this socket's link differs from the common one.");
    v.object("sm", c.sm, "Settings of each SM.");
    v.object("noc", c.noc, "Settings of the crossbar between SMs and L2.");
    v.object("l2", c.l2, "Settings of the L2 cache.");
    v.object("partition", c.partition, "Settings of the way-partition controller.");
    v.object("memory", c.memory, "Settings of the socket's memory.");
}

/// All that a socket is built from: its own configuration, and the values that follow from the machine.
struct GpuSocketConfig : SocketConfig {
    LinkConfig link; ///< the whole of it, in the place of what differs
    MmuConfig mmu;
    PacketSizes packets;
    unsigned core_ports = 0;
    unsigned device_ports = 0; ///< of the crossbar, for others that use memory, such as a copy engine
    bool has_link = true;
    /// Wires between parts of different clocks; `core`: the system's `clock_khz`.
    unsigned crossings(std::uint64_t core) const {
        const unsigned up = has_link ? 1 : 0;
        unsigned n = 0;
        if (noc_khz(core) != sm_khz(core)) n += sms;
        if (noc_khz(core) != core) n += link_ingress() - sms - core_ports + 2 * up;
        if (noc_khz(core) != l2_khz(core)) n += l2.slices * (1 + up);
        if (l2_khz(core) != core) n += l2.slices * up;
        return n;
    }
    unsigned device_ingress() const { return sms + core_ports + (mmu.on() ? 1 : 0); }
    unsigned link_ingress() const { return device_ingress() + device_ports; }
};

} // namespace numavp
