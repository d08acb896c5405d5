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
    v.parts("part", c.part, "The socket that is the core's: one, without SMs and memory, such as \"cpu\".");
    v.integer(
        "cores", c.cores, 1, kMostHostCores, "cores",
        "Each with an L1, miss registers and write buffer of its own, before one L2 with the directory of the MOESI "
        "states of their lines (Table I there: 1 core, directory-based MOESI).");
    v.integer("clock_khz", c.clock_khz, 1000, 100000000, "kHz", "Of the core (memory networks, Table I: 4 GHz).");
    v.integer("issue_width", c.issue_width, 1, 16, "instructions", "Issued a cycle at most (Table I there: 4).");
    v.integer("window", c.window, 1, 4096, "instructions", "Of the reorder buffer (Table I there: 64).");
    v.integer("l1_kib", c.l1_kib, 1, 4096, "KiB", "Of the L1 for data (Table I there: 64).");
    v.integer("l1_ways", c.l1_ways, 1, 64, "ways", "Associativity (Table I there: 4).");
    v.integer("l1_cycles", c.l1_cycles, 1, 1000, "cycles", "Of a load that hits the L1 (Table I there: 2).");
    v.integer("l2_kib", c.l2_kib, 1, 1048576, "KiB", "Of the L2 (Table I there: 16 MB).");
    v.integer("l2_ways", c.l2_ways, 1, 64, "ways", "Associativity (Table I there: 16).");
    v.integer("l2_cycles", c.l2_cycles, 1, 1000, "cycles",
              "Of a load that hits the L2, and until a miss leaves it (Table I there: 10).");
    v.integer("transfer_cycles", c.transfer_cycles, 1, 1000, "cycles",
              "Beside l2_cycles, from the directory to other cores' L1s that have the line and from there to the core "
              "that asks; of several cores. A choice: as far again as the L2 is.");
    v.integer("miss_registers", c.miss_registers, 1, 1024, "registers",
              "Lines of 128 bytes that are fetched at a time. A choice: 1 KB, 16 of the lines of 64 bytes in Table I "
              "there, as the queue of misses behind the private caches of Nehalem holds.");
    v.integer("write_buffer", c.write_buffer, 1, 1024, "lines",
              "Written back at a time; beyond that fetches wait. A choice: twice the miss registers.");
    v.integer("flop_cycles", c.flop_cycles, 1, 100, "cycles",
              "Until a flop's result can be used. A choice: that of an addition on Sandy Bridge.");
}

} // namespace numavp
