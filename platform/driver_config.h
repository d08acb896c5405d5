/// The driver and its host as data: the parts of a system's configuration about pages that fault.
#pragma once

#include <cstdint>
#include <string>

#include "models/base/config.h"
#include "models/host/driver_execution.h"

namespace numavp {

struct RiscvSystemConfig {
    std::string firmware;
    std::uint64_t quantum = 1000;
    unsigned cycles_per_instruction = 1, ram_mib = 32;
};
struct DriverSystemConfig {
    DriverExecution execution = DriverExecution::none;
    std::string policy = "first_touch";
    PageFill fill = PageFill::nothing;
    double latency_us = 20.0;
    unsigned queue_entries = 256, message_cycles = 128, register_cycles = 100;
    std::uint64_t clock_khz = 1000000;
    unsigned native_instructions = 48;
    RiscvSystemConfig riscv;
    unsigned lab_percent = 90, migration_threshold = 0;
    std::uint64_t seed = 1, pages = 0;
    double watchdog_us = 1000.0;
};
struct HostSystemConfig {
    double link_gbps = 15.8, memory_gbps = 76.8, memory_latency_ns = 100.0;
    unsigned link_latency_cycles = 250, capacity_gib = 64;
};

template <class V> void describe(V& v, RiscvSystemConfig& c) {
    v.text("firmware", c.firmware, "An ELF image; empty: the driver that was built with the program.");
    v.integer("quantum", c.quantum, 1, 1000000, "instructions",
              "That the core may run ahead of simulated time between device accesses.");
    v.integer("cycles_per_instruction", c.cycles_per_instruction, 1, 1000, "cycles",
              "Of the core's clock. 1 is a choice: a simple core that hits its caches.");
    v.integer(
        "ram_mib", c.ram_mib, 2, 4096, "MiB",
        "The core's own memory, at 0x80000000. All but the first MiB keeps the driver's records of pages, in every "
        "execution: 24 B for a page of a socket.");
}
template <class V> void describe(V& v, DriverSystemConfig& c) {
    v.choice("execution", c.execution, kDriverExecutions, "How the driver's page allocator runs.");
    v.text("policy", c.policy, "Which memory gets a page that faults: a name of the table in sw/driver/policy.c.");
    v.choice("fill", c.fill, kPageFills, "What a page holds when it is first mapped.");
    v.real("latency_us", c.latency_us, 0.0, 1e6, "us", "Of a fault in the ideal execution (NUBA, section 6: 20).");
    v.integer("queue_entries", c.queue_entries, 1, 65536, "faults",
              "That the page-fault unit holds; a walker that finds it full waits. A choice.");
    v.integer("message_cycles", c.message_cycles, 1, 1000000, "cycles",
              "A message between a socket and the page-fault unit (NUMA-aware GPUs, Table 1: link latency, 128).");
    v.integer("register_cycles", c.register_cycles, 1, 1000000, "cycles",
              "Of the GPU's clock, from the core to a device's register and back. A choice: 100 ns at 1 GHz, an "
              "on-chip bus.");
    v.integer("clock_khz", c.clock_khz, 1000, 10000000, "kHz", "Clock of the driver's core. A choice: 1 GHz.");
    v.integer("native_instructions", c.native_instructions, 0, 100000, "instructions",
              "That the native execution charges for each access to a device; calibrated on the instruction-set "
              "simulator (docs/FIRMWARE.md).");
    v.object("riscv", c.riscv, "The RISC-V core.");
    v.integer("lab_percent", c.lab_percent, 1, 99, "%",
              "Page balance above which local-and-balanced placement is first touch (NUBA, section 4: 90).");
    v.integer("migration_threshold", c.migration_threshold, 0, 1000000000, "accesses",
              "Of a socket to a remote page, after which the driver is told and may move it; 0: never.");
    v.integer("seed", c.seed, 0, ~std::uint64_t{0}, "", "Of the random policy.");
    v.integer("pages", c.pages, 0, std::uint64_t{1} << 40, "pages",
              "Of each socket's memory that the driver may use; 0: all that fit.");
    v.real("watchdog_us", c.watchdog_us, 0.0, 1e9, "us",
           "While a page fault waits and the driver completes none and copies nothing for so long, and 100 accesses to "
           "its registers longer, the run ends (looked at each 8,192 cycles; native and riscv); 0: never. A queue of "
           "faults that moves may wait longer.");
}
template <class V> void describe(V& v, HostSystemConfig& c) {
    v.real("link_gbps", c.link_gbps, 0.001, 10000.0, "GB/s",
           "Each way between host and switch (Characterising communication, Table 2.1: PCIe 3.0 x16, 15.8).");
    v.integer("link_latency_cycles", c.link_latency_cycles, 1, 1000000, "cycles",
              "One way, host to switch. A choice: half of about 500 ns that a PCIe 3.0 read takes.");
    v.real("memory_gbps", c.memory_gbps, 0.001, 1e6, "GB/s",
           "The host's memory. A choice: four channels of DDR4-2400.");
    v.real("memory_latency_ns", c.memory_latency_ns, 1.0, 1e6, "ns", "Of an access. A choice, as the sockets'.");
    v.integer("capacity_gib", c.capacity_gib, 1, 4096, "GiB",
              "The host's memory; of it a socket's range of addresses counts, the next power of two of its capacity. A "
              "choice.");
}

} // namespace numavp
