/// Configuration of the host's cores as data: one struct, one field list (base/config/config.h).
#pragma once

#include <cstdint>
#include <string>

#include "base/values/types.h"

namespace numavp {

inline constexpr unsigned kMostHostCores = 32; ///< a choice: more than the CPUs of the papers have

struct HostCoreConfig {
    std::string part; ///< empty if the system has no host core
    unsigned cores = 1;
    std::uint64_t clock_khz = 4000000;
    unsigned issue_width = 4, window = 64;
    unsigned l1_kib = 64, l1_ways = 4, l1_cycles = 2;
    unsigned l2_kib = 16384, l2_ways = 16, l2_cycles = 10;
    unsigned transfer_cycles = 10;
    unsigned miss_registers = 8, write_buffer = 16, flop_cycles = 3;

    bool given() const { return !part.empty(); }
    std::uint64_t slots_per_ms() const { return clock_khz * issue_width; }
};

template <class V> void describe(V& v, HostCoreConfig& c) {
    v.parts("part", c.part, "Socket that is the core's: one, without SMs and memory, such as \"cpu\".");
    v.integer("cores", c.cores, 1, kMostHostCores, "cores",
              "Number of cores. Each has an L1, miss registers and a write buffer, before one L2 with the directory of "
              "the MOESI states of their lines (memory networks, Table I: 1 core, directory-based MOESI).");
    v.integer("clock_khz", c.clock_khz, 1000, 100000000, "kHz",
              "Clock of the cores (memory networks, Table I: 4 GHz).");
    v.integer("issue_width", c.issue_width, 1, 16, "instructions",
              "Instructions issued a cycle, at most (memory networks, Table I: 4).");
    v.integer("window", c.window, 1, 4096, "instructions",
              "Entries of the reorder buffer (memory networks, Table I: 64).");
    v.integer("l1_kib", c.l1_kib, 1, 4096, "KiB", "Size of the L1 for data (memory networks, Table I: 64).");
    v.integer("l1_ways", c.l1_ways, 1, 64, "ways", "Associativity of the L1 (memory networks, Table I: 4).");
    v.integer("l1_cycles", c.l1_cycles, 1, 1000, "cycles",
              "Latency of a load that hits the L1 (memory networks, Table I: 2).");
    v.integer("l2_kib", c.l2_kib, 1, 1048576, "KiB", "Size of the L2 (memory networks, Table I: 16 MB).");
    v.integer("l2_ways", c.l2_ways, 1, 64, "ways", "Associativity of the L2 (memory networks, Table I: 16).");
    v.integer("l2_cycles", c.l2_cycles, 1, 1000, "cycles",
              "Latency of a load that hits the L2, and time until a miss leaves it (memory networks, Table I: 10).");
    v.integer("transfer_cycles", c.transfer_cycles, 1, 1000, "cycles",
              "Latency beside l2_cycles from the directory to other cores' L1s that have the line and from there to "
              "the core that asks, with several cores. A choice: as far again as the L2 is.");
    v.integer("miss_registers", c.miss_registers, 1, 1024, "registers",
              "Lines of 128 bytes that a core fetches at a time. A choice: 1 KB, 16 of the lines of 64 bytes in Table "
              "I of memory networks, as the queue of misses behind the private caches of Nehalem holds.");
    v.integer("write_buffer", c.write_buffer, 1, 1024, "lines",
              "Lines that are written back at a time; beyond that fetches wait. A choice: twice the miss registers.");
    v.integer("flop_cycles", c.flop_cycles, 1, 100, "cycles",
              "Latency until a flop's result can be used. A choice: that of an addition on Sandy Bridge.");
}

} // namespace numavp
