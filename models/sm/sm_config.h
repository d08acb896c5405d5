/// An SM and its L1 as data: a struct and a field list each (base/config/config.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/config/config_place.h"
#include "base/values/name_table.h"
#include "base/values/types.h"
#include "models/sm/execution_table.h"
#include "models/sm/tensor_table.h"

namespace numavp {

enum class WarpScheduler : std::uint8_t { greedy_round_robin, greedy_oldest, loose_round_robin };

inline constexpr NameTable<WarpScheduler> kWarpSchedulers{
    "warp scheduler",
    {{WarpScheduler::greedy_round_robin, "greedy_round_robin",
      "one warp as long as it can issue, then the next in turn"},
     {WarpScheduler::greedy_oldest, "greedy_oldest", "one warp as long as it can issue, then the oldest"},
     {WarpScheduler::loose_round_robin, "loose_round_robin", "the next warp in turn that can"}}};

struct L1Config {
    unsigned size_kib = 128, ways = 4, hit_cycles = 28, miss_cycles = 4, miss_entries = 128, merges = 8;
    unsigned queue_depth = 8, wire_depth = 8, lines_per_cycle = 1;
    unsigned instructions_per_cycle = 0, bypass_cycles = 0;
    bool serial_atomics = false;

    // Values that follow from the machine.
    std::uint64_t store_bytes_per_s = 0; ///< of the SM's port into the crossbar
    bool partitioned = false;            ///< ways follow the socket's partition controller
    bool sectored = false;               ///< lines are fetched by the sector
    unsigned shared_banks = 0;           ///< of shared memory; 0: its accesses do not come to the unit
    unsigned shared_cycles = 24;         ///< from the last bank's access to use

    unsigned sets() const { return size_kib * 1024 / (ways * kLineBytes); }
    /// Bound on the cycles of an access here if nothing else is under way.
    unsigned idle_cycles() const { return hit_cycles + miss_cycles + bypass_cycles; }
};

struct TensorConfig {
    TensorCores cores = TensorCores::none;

    bool on() const { return cores != TensorCores::none; }
    /// Whether a dump has it: a file that names it, if only to say none, is dumped with it.
    bool given() const { return named_ || on(); }
    void validate(const Place& /*place*/) { named_ = true; }

  private:
    bool named_ = false;
};

struct SmConfig {
    unsigned warps = 64, block_slots = 32, registers = 65536, shared_kib = 64, schedulers = 4;
    WarpScheduler scheduler = WarpScheduler::greedy_round_robin;
    unsigned compute_cycles = 6, shared_cycles = 24;
    Architecture units = Architecture::none;
    TensorConfig tensor;
    unsigned dependent_cycles = 0, shared_banks = 0, first_block_cycles = 0;
    L1Config l1;

    unsigned shared_bytes() const { return shared_kib * 1024; }
    /// Whether arithmetic is limited by execution units or tensor cores.
    bool has_units() const { return units != Architecture::none || tensor.on(); }
    /// Bound on the cycles from an instruction to the next of its warp, without the way of an access past the L1.
    unsigned idle_cycles() const {
        return first_block_cycles + std::max(compute_cycles, shared_cycles) + dependent_cycles + l1.idle_cycles();
    }
};

template <class V> void describe(V& v, L1Config& c) {
    v.integer("size_kib", c.size_kib, 1, 1024, "KiB", "Size of the L1 (NUMA-aware GPUs, Table 1: 128 KB).");
    v.integer("ways", c.ways, 1, 64, "ways", "Associativity of the L1 (NUMA-aware GPUs, Table 1: 4).");
    v.integer("hit_cycles", c.hit_cycles, 1, 1000, "cycles",
              "Latency of a hit from look-up to use, a cycle after issue. Not in the paper; 28 is what microbenchmarks "
              "of NVIDIA's L1s report.");
    v.integer("miss_cycles", c.miss_cycles, 1, 1000, "cycles",
              "Latency from look-up to the crossbar on a miss. A choice.");
    v.integer("miss_entries", c.miss_entries, 1, 4096, "entries",
              "Reads on their way: of lines, or of sectors of a line (NUBA, Table 1: 128).");
    v.integer("merges", c.merges, 1, 64, "loads", "Loads that can wait for one outstanding read. A choice.");
    v.integer("queue_depth", c.queue_depth, 1, 64, "instructions",
              "Memory instructions that wait for the load-store unit.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets on the wire to the crossbar.");
    v.integer("lines_per_cycle", c.lines_per_cycle, 1, 8, "lines", "Lines that the L1 looks up in a cycle.");
    v.integer("instructions_per_cycle", c.instructions_per_cycle, 0, 8, "instructions",
              "Memory instructions that the load-store unit ends in a cycle (NVIDIA's SMs: 1); 0: as many as its "
              "look-ups allow.");
    v.integer("bypass_cycles", c.bypass_cycles, 0, 1000, "cycles",
              "Latency from the load-store unit to the crossbar of accesses past the L1: atomics, loads with .CG, .CV "
              "or .STRONG; 0: miss_cycles. Such an access overtakes no earlier access of its SM.");
    v.boolean("serial_atomics", c.serial_atomics,
              "Whether lanes of an atomic that hit the same word make a transaction each, those of different words of "
              "32 bytes share one (Accel-Sim; Maxwell and later); false: a transaction for each line.");
}
template <class V> void describe(V& v, TensorConfig& c) {
    v.choice("cores", c.cores, kTensorCores,
             "Table of tensor cores: interval and latency of matrix instructions by their shape.");
}
template <class V> void describe(V& v, SmConfig& c) {
    v.integer("warps", c.warps, 1, 64, "warps", "Resident warps (NUMA-aware GPUs, Table 1: 64).");
    v.integer("block_slots", c.block_slots, 1, 64, "blocks", "Resident thread blocks (Pascal: 32).");
    v.integer("registers", c.registers, 1024, 1048576, "registers", "32-bit registers (Pascal: 65,536).");
    v.integer("shared_kib", c.shared_kib, 0, 1024, "KiB", "Shared memory (Pascal: 64 KB).");
    v.integer("schedulers", c.schedulers, 1, 8, "schedulers",
              "Warp schedulers, one issue a cycle each (4: Volta; 2: NUBA).");
    v.choice("scheduler", c.scheduler, kWarpSchedulers,
             "Policy that chooses the ready warp that issues (NUMA-aware GPUs, Table 1: greedy then round robin).");
    v.integer("compute_cycles", c.compute_cycles, 1, 1000, "cycles",
              "Arithmetic latency where a workload gives none (Pascal: 6).");
    v.integer("shared_cycles", c.shared_cycles, 1, 1000, "cycles", "Shared-memory latency (Pascal: 24).");
    v.choice("units", c.units, kArchitectures,
             "Table of execution units: the interval at which each accepts a warp, and its latencies.");
    v.optional("tensor", c.tensor,
               "Tensor cores with a table; without one matrix instructions have a row of the execution units.");
    v.integer("dependent_cycles", c.dependent_cycles, 0, 1000, "cycles",
              "Time from a result of arithmetic to the issue of an instruction that depends on it, where latencies are "
              "those of units alone (Accel-Sim); microbenchmarks' latencies include it: 0.");
    v.integer("shared_banks", c.shared_banks, 0, 128, "banks",
              "Banks of 4 bytes of shared memory (NVIDIA, since compute capability 2.0: 32): accesses go through the "
              "load-store unit and take a cycle for each word of a bank; 0: no conflicts, and not through the unit.");
    v.integer("first_block_cycles", c.first_block_cycles, 0, 10000, "cycles",
              "Time from a launch's first block on an SM to the first instruction of that and later blocks, unless it "
              "is the exit: the launch's sizes and arguments are read (H200: measured); 0: none.");
    v.object("l1", c.l1, "Settings of the L1 data cache.");
}

} // namespace numavp
