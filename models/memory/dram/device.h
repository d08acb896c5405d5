/// Configuration of a memory device: the content of a file in configs/parts/memory.
#pragma once

#include <cstdint>
#include <string>

#include "base/config/config.h"
#include "base/values/types.h"
#include "models/memory/dram/address_decoder.h"
#include "models/memory/dram/refresh/refresh_kind.h"
#include "models/memory/dram/row_policy/row_policy_kind.h"
#include "models/memory/dram/scheduler/scheduler_kind.h"
#include "models/memory/dram/timing/timing.h"

namespace numavp {

/// The logic of a memory cube between its links and its vaults. Without links a device is one channel.
struct CubeConfig {
    unsigned links = 0;
    unsigned quadrants = 4;
    std::uint64_t logic_khz = 1250000;
    unsigned flit_bytes = 16;
    unsigned queue_depth = 32;
};

struct MemoryDeviceConfig {
    std::string name = "hbm-nuba";
    std::string description;
    std::uint64_t clock_khz = 350000;
    unsigned access_bytes = 64;
    std::string address = "column:5 group:2 bank:2 row:14";
    bool split_commands = true;
    unsigned queue_depth = 64;
    unsigned window_reads = 64, window_writes = 64;
    MemorySchedulerKind scheduler = MemorySchedulerKind::fr_fcfs;
    RowPolicyKind row_policy = RowPolicyKind::open;
    RefreshKind refresh = RefreshKind::none;
    bool refresh_spread = false;
    unsigned write_high_percent = 80, write_low_percent = 20;
    DramTiming timing;
    CubeConfig cube;

    void validate(const Place& place) const;
    bool is_cube() const { return cube.links != 0; }
    /// When a channel, or vault, refreshes first, in cycles.
    Cycle first_refresh(unsigned channel, unsigned channels) const {
        return refresh_spread ? Cycle{timing.refi} * (channel + 1) / channels : Cycle{timing.refi};
    }
    /// Bound on the time of an access if nothing else is under way but a refresh.
    double idle_ns() const {
        const unsigned cycles = timing.idle_cycles() + (refresh == RefreshKind::none ? 0 : timing.rfc);
        return cycles * 1e6 / static_cast<double>(clock_khz);
    }
    AddressDecoder decoder() const { return AddressDecoder(access_bytes, address, "address"); }
    /// Bandwidth of one channel's data pins, in 1e9 bytes per second.
    double channel_gbytes_per_s() const {
        return static_cast<double>(access_bytes) / timing.burst * static_cast<double>(clock_khz) / 1e6;
    }
};

template <class V> void describe(V& v, CubeConfig& c) {
    v.integer("links", c.links, 0, 64, "links", "Number of links of the cube; 0: the device is a channel without any.");
    v.integer("quadrants", c.quadrants, 1, 64, "quadrants", "Ports of the crossbar towards the vaults (HMC: 4).");
    v.integer("logic_khz", c.logic_khz, 1000, 100000000, "kHz", "Clock of crossbar and links (Table I: 1.25 GHz).");
    v.integer("flit_bytes", c.flit_bytes, 4, 256, "B",
              "Bytes that a link carries in a cycle of the logic clock each way: 16 B are 20 GB/s (memory networks, "
              "Table I). A packet is a flit of header and its data.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Packets that each queue of the crossbar holds.");
}

template <class V> void describe(V& v, MemoryDeviceConfig& c) {
    v.text("name", c.name, "Short name of the device.");
    v.text("description", c.description, "One sentence on the device and its source.");
    v.integer("clock_khz", c.clock_khz, 1000, 100000000, "kHz", "Command clock (NUBA, Table 1: 350 MHz).");
    v.integer("access_bytes", c.access_bytes, 4, 4096, "B",
              "Bytes of a column access (NUBA: 720 GB/s over 32 channels are 64 B a clock).");
    v.text("address", c.address,
           "Fields of an address above the bytes of an access, least significant first: FIELD:BITS with column, group, "
           "bank, row and, in a cube, vault.");
    v.boolean("split_commands", c.split_commands,
              "Whether row and column commands have separate buses (HBM); false: one command a cycle.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "requests",
              "Requests that the controller holds, reads and writes each (NUBA, Table 1: 64).");
    v.integer("window_reads", c.window_reads, 1, 1000000, "requests", "Reads that numavp memory keeps outstanding.");
    v.integer("window_writes", c.window_writes, 1, 1000000, "requests", "Writes that numavp memory keeps outstanding.");
    v.choice("scheduler", c.scheduler, kMemorySchedulers,
             "Policy that chooses the next request (NUBA, Table 1: FR-FCFS).");
    v.choice("row_policy", c.row_policy, kRowPolicies, "Policy that closes rows.");
    v.choice("refresh", c.refresh, kRefreshes, "Policy of the refresh of rows.");
    v.boolean("refresh_spread", c.refresh_spread,
              "Whether channels, or vaults of a cube, refresh one after the other, spread over the interval (H200: a "
              "part of the channels is busy with it at any time, measured); false: all at once.");
    v.integer("write_high_percent", c.write_high_percent, 1, 100, "%",
              "Share of the write queue up to which writes are gathered. GPU controllers gather writes; 80 and 20 are "
              "the watermarks of Ramulator 2.");
    v.integer("write_low_percent", c.write_low_percent, 0, 99, "%",
              "Share of the write queue down to which gathered writes are drained.");
    v.object("timing", c.timing, "Distances between commands.");
    v.object("cube", c.cube, "Settings of links and crossbar of a memory cube.");
}

} // namespace numavp
