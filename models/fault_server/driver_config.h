/// The driver of page faults as data: a struct and a field list for each of its modules (base/config/config.h).
#pragma once

#include <cstdint>
#include <string>

#include "base/values/types.h"
#include "models/fault_server/driver_execution.h"

namespace numavp {

struct FaultUnitConfig {
    unsigned queue_entries = 256, message_cycles = 128;

    // Values that follow from the machine.
    unsigned note_entries = 64; ///< of the queue of notes; a note that finds it full is counted and dropped
    Cycle delay_cycles = 0;     ///< more until the driver sees a fault: of a driver at a fixed latency
    unsigned socket_shift = 34; ///< of physical addresses
    std::uint64_t page_bytes = 65536;
    std::uint64_t frames = 0; ///< that pages may have in each memory, from its start
    bool replicates = false;  ///< the driver makes replicas
};

struct NativeDriverConfig {
    unsigned native_instructions = 48; ///< for each access to a device

    // Values that follow from the core's configuration.
    unsigned cycles_per_instruction = 1;
    std::uint64_t arena_bytes = 1 << 20; ///< for the driver's frame table
};

struct RiscvDriverConfig {
    std::string firmware;
    std::uint64_t quantum = 1000;
    unsigned cycles_per_instruction = 1, ram_mib = 32;

    std::uint64_t ram_bytes() const { return std::uint64_t{ram_mib} << 20; }
};

struct DriverConfig {
    DriverExecution execution = DriverExecution::none;
    std::string policy = "first_touch";
    PageFill fill = PageFill::nothing;
    double latency_us = 20.0;
    FaultUnitConfig faults; ///< under the driver's path; so is `native`
    unsigned register_cycles = 100;
    std::uint64_t clock_khz = 1000000;
    NativeDriverConfig native;
    RiscvDriverConfig riscv;
    unsigned lab_percent = 90, migration_threshold = 0, replication_threshold = 0;
    std::uint64_t seed = 1, pages = 0;
    double watchdog_us = 1000.0;

    /// Bound on the cycles of the accesses to registers that serving a fault, or the driver's start, takes.
    std::uint64_t access_cycles() const { return std::uint64_t{100} * register_cycles; }
    /// Bound on the cycles, of `ghz`, from a fault to its answer, without accesses to memory.
    double idle_cycles(double ghz) const {
        if (execution == DriverExecution::none) return 0;
        return static_cast<double>(access_cycles()) + latency_us * 1000 * ghz + 2.0 * faults.message_cycles;
    }
};

template <class V> void describe(V& v, FaultUnitConfig& c) {
    v.integer("queue_entries", c.queue_entries, 1, 65536, "faults",
              "Faults that the page-fault unit holds; a walker that finds it full waits. A choice.");
    v.integer(
        "message_cycles", c.message_cycles, 1, 1000000, "cycles",
        "Latency of a message between a socket and the page-fault unit (NUMA-aware GPUs, Table 1: link latency, 128).");
}
template <class V> void describe(V& v, NativeDriverConfig& c) {
    v.integer("native_instructions", c.native_instructions, 0, 100000, "instructions",
              "Instructions that the native execution charges for each access to a device; calibrated on the "
              "instruction-set simulator (docs/use/FIRMWARE.md).");
}
template <class V> void describe(V& v, RiscvDriverConfig& c) {
    v.text("firmware", c.firmware, "Path of an ELF image; empty: the driver that was built with the program.");
    v.integer("quantum", c.quantum, 1, 1000000, "instructions",
              "Instructions that the core may run ahead of simulated time between device accesses.");
    v.integer("cycles_per_instruction", c.cycles_per_instruction, 1, 1000, "cycles",
              "Cycles of the core's clock for an instruction. 1 is a choice: a simple core that hits its caches.");
    v.integer("ram_mib", c.ram_mib, 2, 4096, "MiB",
              "Size of the core's own memory, at 0x80000000. All but the first MiB keeps the driver's records of "
              "pages, in every execution: 24 B for a page of a socket.");
}
template <class V> void describe(V& v, DriverConfig& c) {
    v.choice("execution", c.execution, kDriverExecutions, "Execution of the driver's page allocator.");
    v.text(
        "policy", c.policy,
        "Placement of a page that faults: a name of the table in sw/driver/policy.c, the path of a shared object with "
        "a policy of yours (with a slash, or ending in .so; native and ideal), or own: the policy in a firmware image "
        "of yours.");
    v.choice("fill", c.fill, kPageFills, "Content of a page when it is first mapped.");
    v.real("latency_us", c.latency_us, 0.0, 1e6, "us",
           "Latency of a fault in the ideal execution (NUBA, section 6: 20).");
    describe(v, c.faults);
    v.integer("register_cycles", c.register_cycles, 1, 1000000, "cycles",
              "Latency from the core to a device's register and back, in the GPU's clock. A choice: 100 ns at 1 GHz, "
              "an on-chip bus.");
    v.integer("clock_khz", c.clock_khz, 1000, 10000000, "kHz", "Clock of the driver's core. A choice: 1 GHz.");
    describe(v, c.native);
    v.object("riscv", c.riscv, "Settings of the RISC-V core.");
    v.integer("lab_percent", c.lab_percent, 1, 99, "%",
              "Page balance above which local-and-balanced placement is first touch (NUBA, section 4: 90).");
    v.integer("migration_threshold", c.migration_threshold, 0, 1000000000, "accesses",
              "Accesses of a socket to a remote page after which the driver is told and may move the page; 0: never.");
    v.integer("replication_threshold", c.replication_threshold, 0, 1000000000, "accesses",
              "Accesses of a socket to a remote page after which the driver is told and may give that socket a replica "
              "of the page, if its memory has room; 0: never.");
    v.integer("seed", c.seed, 0, ~std::uint64_t{0}, "", "Seed of the random policy.");
    v.integer("pages", c.pages, 0, std::uint64_t{1} << 40, "pages",
              "Pages of each socket's memory that the driver may use; 0: all that fit.");
    v.real("watchdog_us", c.watchdog_us, 0.0, 1e9, "us",
           "Time after which the run ends while a page fault waits and the driver completes none and copies nothing, "
           "and 100 accesses to its registers longer (looked at each 8,192 cycles; not ideal); 0: never. A "
           "queue of faults that moves may wait longer.");
}

} // namespace numavp
