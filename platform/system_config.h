/// A whole system as data: what a file in configs/systems describes.
#pragma once

#include <cstdint>
#include <string>

#include "models/base/config.h"
#include "models/cache/l2_slice.h"
#include "models/cache/way_partition_kind.h"
#include "models/dispatch/block_split.h"
#include "models/dispatch/placement_kind.h"
#include "models/dram/memory_channel.h"
#include "models/memory/device.h"
#include "models/mmu/mmu_config.h"
#include "models/sm/sm.h"
#include "platform/driver_config.h"
#include "tlm-links/flits/link_cut_kind.h"
#include "tlm-links/lane_balancer_kind.h"

namespace numavp {

struct L1SystemConfig {
    unsigned size_kib = 128, ways = 4, hit_cycles = 28, miss_cycles = 4, miss_entries = 128, merges = 8;
    unsigned queue_depth = 8, wire_depth = 8, lines_per_cycle = 1;
};
struct SmSystemConfig {
    unsigned warps = 64, block_slots = 32, registers = 65536, shared_kib = 64, schedulers = 4;
    WarpScheduler scheduler = WarpScheduler::greedy_round_robin;
    unsigned compute_cycles = 6, shared_cycles = 24;
    L1SystemConfig l1;
};
struct NocSystemConfig {
    unsigned request_bytes_per_cycle = 64, response_bytes_per_cycle = 64, latency_cycles = 8;
    unsigned queue_depth = 16, wire_depth = 32;
};
struct L2SystemConfig {
    unsigned size_kib = 4096, slices = 32, ways = 16, hit_cycles = 120, miss_cycles = 20, fill_cycles = 20;
    unsigned bytes_per_cycle = 64, entries = 64, reserved_home_entries = 8, merges = 64;
    unsigned queue_depth = 16, wire_depth = 192;
    L2Organisation organisation = L2Organisation::memory_side;
    WritePolicy write_policy = WritePolicy::write_back;
    unsigned static_remote_ways = 8;
    bool incoming_allocate = true;
    bool invalidate = true;
};
struct PartitionSystemConfig {
    WayPartitionKind controller = WayPartitionKind::numa_aware;
    unsigned sample_cycles = 5000, decision_cycles = 1, saturation_percent = 99;
    bool l1 = true;
};
struct MemorySystemConfig {
    unsigned channels = 32;
    double bandwidth_gbps = 768.0;
    double latency_ns = 100.0;
    unsigned capacity_gib = 16, queue_depth = 64;
    MemoryModel model = MemoryModel::channel;
    unsigned rtl_sockets = 1;
    MemoryDeviceConfig device;
};
struct SocketSystemConfig {
    unsigned sms = 64;
    SmSystemConfig sm;
    NocSystemConfig noc;
    L2SystemConfig l2;
    PartitionSystemConfig partition;
    MemorySystemConfig memory;
};
struct LinkSystemConfig {
    unsigned lanes_out = 8, lanes_in = 8;
    double lane_gbps = 8.0;
    unsigned latency_cycles = 56, queue_depth = 16, wire_depth = 128;
    LaneBalancerKind balancer = LaneBalancerKind::fixed;
    unsigned sample_cycles = 5000, switch_cycles = 100, decision_cycles = 1, saturation_percent = 99;
    double energy_pj_per_bit = 10.0;
    LinkCutKind cut = LinkCutKind::none;
};
struct SwitchSystemConfig {
    double total_gbps = 0.0;
    unsigned latency_cycles = 16, queue_depth = 16, wire_depth = 64;
};
struct PacketSystemConfig {
    unsigned header_bytes = 8;
};
struct DispatchSystemConfig {
    BlockSplit split = BlockSplit::contiguous;
    unsigned launch_cycles = 5000, blocks_per_cycle = 1;
};
struct PlacementSystemConfig {
    PlacementKind policy = PlacementKind::first_touch;
    unsigned page_kib = 64, address_bits = 49;
};
struct TranslationSystemConfig {
    TranslationMode mode = TranslationMode::off;
    unsigned l1_entries = 128, l1_cycles = 1, waiting = 64;
    unsigned l2_entries = 512, l2_ways = 16, l2_cycles = 10, l2_ports = 2;
    unsigned walkers = 64;
    TableHome tables = TableHome::sockets;
};
struct ResultsSystemConfig {
    unsigned interval_cycles = 1000;
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
    unsigned sockets = 4;
    unsigned scale = 1;
    SocketSystemConfig socket;
    LinkSystemConfig link;
    SwitchSystemConfig switch_;
    PacketSystemConfig packets;
    DispatchSystemConfig dispatch;
    PlacementSystemConfig placement;
    TranslationSystemConfig translation;
    DriverSystemConfig driver;
    HostSystemConfig host;
    ResultsSystemConfig results;
    ChecksSystemConfig checks;

    /// What several fields together must obey; ConfigError at `place`.
    void validate(const Place& place) const;
};

template <class V> void describe(V& v, L1SystemConfig& c) {
    v.integer("size_kib", c.size_kib, 1, 1024, "KiB", "Size (NUMA-aware GPUs, Table 1: 128 KB).");
    v.integer("ways", c.ways, 1, 16, "ways", "Associativity (Table 1: 4).");
    v.integer("hit_cycles", c.hit_cycles, 1, 1000, "cycles",
              "From look-up to use on a hit, a cycle after issue. Not in the paper; 28 is what microbenchmarks of "
              "NVIDIA's L1s report.");
    v.integer("miss_cycles", c.miss_cycles, 1, 1000, "cycles", "From look-up to the crossbar on a miss. A choice.");
    v.integer("miss_entries", c.miss_entries, 1, 4096, "entries", "Lines on their way (NUBA, Table 1: 128).");
    v.integer("merges", c.merges, 1, 64, "loads", "Loads that can wait for one line. A choice.");
    v.integer("queue_depth", c.queue_depth, 1, 64, "instructions", "Memory instructions that wait for the unit.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets on the wire to the crossbar.");
    v.integer("lines_per_cycle", c.lines_per_cycle, 1, 8, "lines", "Line look-ups a cycle.");
}
template <class V> void describe(V& v, SmSystemConfig& c) {
    v.integer("warps", c.warps, 1, 64, "warps", "Resident warps (NUMA-aware GPUs, Table 1: 64).");
    v.integer("block_slots", c.block_slots, 1, 64, "blocks", "Resident thread blocks (Pascal: 32).");
    v.integer("registers", c.registers, 1024, 1048576, "registers", "32-bit registers (Pascal: 65,536).");
    v.integer("shared_kib", c.shared_kib, 0, 1024, "KiB", "Shared memory (Pascal: 64 KB).");
    v.integer("schedulers", c.schedulers, 1, 8, "schedulers",
              "Warp schedulers, one issue a cycle each (4: Volta; 2: NUBA).");
    v.choice("scheduler", c.scheduler, kWarpSchedulers, "Which ready warp issues (Table 1: greedy then round robin).");
    v.integer("compute_cycles", c.compute_cycles, 1, 1000, "cycles",
              "Arithmetic latency where a workload gives none (Pascal: 6).");
    v.integer("shared_cycles", c.shared_cycles, 1, 1000, "cycles", "Shared-memory latency (Pascal: 24).");
    v.object("l1", c.l1, "The L1 data cache.");
}
template <class V> void describe(V& v, NocSystemConfig& c) {
    v.integer("request_bytes_per_cycle", c.request_bytes_per_cycle, 1, 65536, "B/cycle",
              "Bandwidth of each output towards L2 and link. A choice that keeps L2 (2 TB/s) above memory.");
    v.integer("response_bytes_per_cycle", c.response_bytes_per_cycle, 1, 65536, "B/cycle",
              "Bandwidth of each output towards an SM.");
    v.integer("latency_cycles", c.latency_cycles, 1, 10000, "cycles", "One way (NUBA, section 6: two 4-cycle stages).");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Packets that an input holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets between an output and the next module.");
}
template <class V> void describe(V& v, L2SystemConfig& c) {
    v.integer("size_kib", c.size_kib, 16, 1048576, "KiB", "Size of a socket's L2 (NUMA-aware GPUs, Table 1: 4 MB).");
    v.integer("slices", c.slices, 1, 1024, "slices", "Banks; a multiple of the memory channels.");
    v.integer("ways", c.ways, 1, 16, "ways", "Associativity (Table 1: 16).");
    v.integer("hit_cycles", c.hit_cycles, 1, 10000, "cycles",
              "From request to response on a hit (NUBA, Table 1: 120).");
    v.integer("miss_cycles", c.miss_cycles, 1, 10000, "cycles", "From request to memory or link on a miss. A choice.");
    v.integer("fill_cycles", c.fill_cycles, 1, 10000, "cycles", "From a line's arrival to the response. A choice.");
    v.integer("bytes_per_cycle", c.bytes_per_cycle, 1, 65536, "B/cycle",
              "Data bandwidth of a slice towards each side.");
    v.integer("entries", c.entries, 2, 4096, "entries", "Lines on their way of a slice, in or out.");
    v.integer("reserved_home_entries", c.reserved_home_entries, 1, 4095, "entries",
              "Entries that only other sockets' requests may take.");
    v.integer("merges", c.merges, 1, 4096, "requests", "Requests that wait in one entry.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Requests that a port holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets on their way from a port.");
    v.choice("organisation", c.organisation, kL2Organisations, "What the L2 caches (Figure 7).");
    v.choice("write_policy", c.write_policy, kWritePolicies, "What a write does (Table 1: write-back).");
    v.integer("static_remote_ways", c.static_remote_ways, 1, 15, "ways",
              "Ways of the remote cache in the static organisation (section 5.2: half).");
    v.boolean("incoming_allocate", c.incoming_allocate,
              "Reads by other sockets are kept in the home's L2; false: served, but not kept.");
    v.boolean("invalidate", c.invalidate,
              "Flushes reach the L2; false: the hypothetical L2 that ignores them (Figure 9).");
}
template <class V> void describe(V& v, PartitionSystemConfig& c) {
    v.choice("controller", c.controller, kWayPartitions, "Who moves ways in the numa_aware organisation.");
    v.integer("sample_cycles", c.sample_cycles, 10, 10000000, "cycles", "Sample time (section 5.1: 5K cycles).");
    v.integer("decision_cycles", c.decision_cycles, 1, 10000, "cycles", "From sample to effect.");
    v.integer("saturation_percent", c.saturation_percent, 1, 100, "%", "Utilisation that counts as saturated (99).");
    v.boolean("l1", c.l1, "The L1s are partitioned too (section 5.1).");
}
template <class V> void describe(V& v, MemorySystemConfig& c) {
    v.integer("channels", c.channels, 1, 1024, "channels", "Memory channels (4 HBM2 stacks of 8).");
    v.real("bandwidth_gbps", c.bandwidth_gbps, 0.001, 1e6, "GB/s", "Of all channels (Table 1: 768).");
    v.real("latency_ns", c.latency_ns, 1.0, 1e6, "ns", "Of an access (Table 1: 100).");
    v.integer("capacity_gib", c.capacity_gib, 1, 1024, "GiB", "Of a socket (Pascal: 16).");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "requests",
              "Requests a channel's port holds (NUBA, Table 1: 64).");
    v.choice("model", c.model, kMemoryModels, "What a channel is made of.");
    v.integer("rtl_sockets", c.rtl_sockets, 1, 16, "sockets",
              "With the model axi4_rtl: how many sockets have it, from the first on; the others have channel.");
    v.object("device", c.device,
             "With the model timed: the device of each channel, as in configs/parts/memory; bandwidth_gbps and "
             "latency_ns are not used then.");
}
template <class V> void describe(V& v, SocketSystemConfig& c) {
    v.integer("sms", c.sms, 1, 1024, "SMs", "Streaming multiprocessors (NUMA-aware GPUs, Table 1: 64).");
    v.object("sm", c.sm, "Each SM.");
    v.object("noc", c.noc, "The crossbar between SMs and L2.");
    v.object("l2", c.l2, "The L2.");
    v.object("partition", c.partition, "The way-partition controller.");
    v.object("memory", c.memory, "The socket's memory.");
}
template <class V> void describe(V& v, LinkSystemConfig& c) {
    v.integer("lanes_out", c.lanes_out, 1, 64, "lanes", "Lanes wired from the socket (Table 1: 8).");
    v.integer("lanes_in", c.lanes_in, 1, 64, "lanes", "Lanes wired to the socket (Table 1: 8).");
    v.real("lane_gbps", c.lane_gbps, 0.001, 10000.0, "GB/s", "Bandwidth of a lane (section 4: 8).");
    v.integer("latency_cycles", c.latency_cycles, 1, 100000, "cycles",
              "One way, socket to switch. Twice this and the switch make the 128 of Table 1.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Packets that an input of a direction holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets in flight on the way.");
    v.choice("balancer", c.balancer, kLaneBalancers, "Who turns lanes.");
    v.integer("sample_cycles", c.sample_cycles, 10, 10000000, "cycles",
              "Sample time of the balancer (section 4.1: 5K).");
    v.integer("switch_cycles", c.switch_cycles, 0, 1000000, "cycles",
              "Time that a lane takes to turn (section 4.1: 100).");
    v.integer("decision_cycles", c.decision_cycles, 1, 10000, "cycles", "From sample to effect.");
    v.integer("saturation_percent", c.saturation_percent, 1, 100, "%", "Use that counts as saturated (section 4: 99).");
    v.real("energy_pj_per_bit", c.energy_pj_per_bit, 0.0, 10000.0, "pJ/b", "Link and switch (section 6: 10).");
    v.choice("cut", c.cut, kLinkCuts, "What stands between each link and the switch. A choice.");
}
template <class V> void describe(V& v, SwitchSystemConfig& c) {
    v.real("total_gbps", c.total_gbps, 0.0, 1e6, "GB/s",
           "Constant bandwidth of the switch (section 4.1); 0: what symmetric links of all sockets carry one way.");
    v.integer("latency_cycles", c.latency_cycles, 1, 100000, "cycles", "From link to link.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Packets that an input holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets between switch and link.");
}
template <class V> void describe(V& v, PacketSystemConfig& c) {
    v.integer("header_bytes", c.header_bytes, 1, 128, "B",
              "A request or acknowledgement, and what a data packet has besides data (NUBA, sections 5.2 and 6: 8).");
}
template <class V> void describe(V& v, DispatchSystemConfig& c) {
    v.choice("split", c.split, kBlockSplits, "Which socket runs which thread block.");
    v.integer("launch_cycles", c.launch_cycles, 0, 10000000, "cycles",
              "From a launch to its first block (about 5 us on NVIDIA GPUs).");
    v.integer("blocks_per_cycle", c.blocks_per_cycle, 1, 1024, "blocks",
              "Thread blocks that a socket starts a cycle; of a larger hypothetical GPU, `scale` times as many.");
}
template <class V> void describe(V& v, PlacementSystemConfig& c) {
    v.choice("policy", c.policy, kPlacements, "Which memory gets a page.");
    v.integer("page_kib", c.page_kib, 4, 2048, "KiB",
              "Page size, a power of two. 64 is a choice; 4 and 2048 are sensitivities.");
    v.integer("address_bits", c.address_bits, 32, 64, "bits", "Width of addresses (Pascal: 49).");
}
template <class V> void describe(V& v, TranslationSystemConfig& c) {
    v.choice("mode", c.mode, kTranslationModes, "How SMs translate addresses.");
    v.integer("l1_entries", c.l1_entries, 1, 4096, "pages", "L1 TLB of an SM, fully associative (NUBA, Table 1: 128).");
    v.integer("l1_cycles", c.l1_cycles, 0, 1000, "cycles",
              "That the L1 TLB adds to every access (NUBA, Table 1: 1). It has a port for each line of the L1.");
    v.integer("waiting", c.waiting, 1, 64, "instructions",
              "Memory instructions of an SM that wait for a page while others go on. A choice: one a warp.");
    v.integer("l2_entries", c.l2_entries, 1, 65536, "pages", "L2 TLB of a socket (NUBA, Table 1: 512).");
    v.integer("l2_ways", c.l2_ways, 1, 64, "ways", "Its associativity (NUBA, Table 1: 16).");
    v.integer("l2_cycles", c.l2_cycles, 1, 10000, "cycles",
              "From a miss in an L1 TLB to its answer (NUBA, Table 1: 10).");
    v.integer("l2_ports", c.l2_ports, 1, 64, "look-ups", "Look-ups of the L2 TLB a cycle (NUBA, Table 1: 2).");
    v.integer("walkers", c.walkers, 1, 1024, "walks", "Page-table walks of a socket at once (NUBA, Table 1: 64).");
    v.choice("tables", c.tables, kTableHomes, "Which memories hold the page table. A choice.");
}
template <class V> void describe(V& v, ResultsSystemConfig& c) {
    v.integer("interval_cycles", c.interval_cycles, 10, 100000000, "cycles", "Interval of the time series.");
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
    v.integer("sockets", c.sockets, 1, 16, "sockets", "GPU sockets (Table 1: 4).");
    v.integer("scale", c.scale, 1, 16, "",
              "SMs, L2, memory bandwidth and capacity of a socket times this: the hypothetical larger GPU.");
    v.object("socket", c.socket, "Each GPU socket.");
    v.object("link", c.link, "Each socket's link to the switch.");
    v.object("switch", c.switch_, "The switch.");
    v.object("packets", c.packets, "Packets on crossbars and links.");
    v.object("dispatch", c.dispatch, "Thread-block dispatch.");
    v.object("placement", c.placement, "Page placement.");
    v.object("translation", c.translation, "Translation of addresses in the sockets.");
    v.object("driver", c.driver, "The driver that serves page faults.");
    v.object("host", c.host, "The host on which it runs.");
    v.object("results", c.results, "What is recorded.");
    v.object("checks", c.checks, "What is checked while it runs.");
}

} // namespace numavp
