/// Unified memory on the simulated machine: its driver in C brings pages of the host to a GPU that touches them, over
/// the host's link, beside the closed form of characterize and what was measured on S822LC.
#include <string>

#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "communication/characterize/host_program.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/communication/characterize/machines.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

constexpr unsigned kPages = 32;
constexpr std::uint64_t kPageBytes = 64 * 1024;

/// A P100 with the link of an S822LC to its CPU; all pages begin on the host, and each fault goes to the driver.
SystemConfig demanding_system(const TempDir& folder) {
    return load_system(folder.write("p100.json", R"({"extends": "gpu-1", "name": "p100", "clock_khz": 1480000,
 "socket": {"use": "gpu/p100", "sms": 8}, "translation": {"mode": "full"}, "placement": {"page_kib": 64},
 "driver": {"execution": "native", "policy": "first_touch", "fill": "copy"},
 "host": {"link_gbps": 40, "memory_gbps": 115.2}})"),
                       {});
}

/// As gpu_write (Listing 5.2): a warp touches a word of each page; here all pages at once.
Workload touching_pages(const char* kind) {
    const nlohmann::json access = {{"array", "a"},
                                   {"kind", kind},
                                   {"elements", kPages * kPageBytes / 4},
                                   {"block_x", kPageBytes / 4},
                                   {"thread_x", 0}};
    return read_workload(
        {{"name", "touch"},
         {"kernels",
          {{{"pattern", "grid_loop"}, {"parameters", {{"grid_x", kPages}, {"block_x", 32}, {"accesses", {access}}}}}}}},
        Place("file"), {});
}

struct Demanded {
    nlohmann::json host;
    double kernel_us = 0;
};

Demanded run_demand(const char* kind) {
    const TempDir folder;
    const Workload workload = touching_pages(kind);
    System system(demanding_system(folder), workload);
    system.run();
    const nlohmann::json rows = system.kernels().at("rows");
    return {system.stats().values().at("host"), rows.at("cycles").at(0).get<double>() / 1480};
}

/// Each page faults once, comes from the host once, and nothing goes back.
TEST(SimulatedUnifiedMemory, BringsEachPageOnce) {
    const Demanded made = run_demand("load");
    EXPECT_EQ(made.host.at("faults").at("raised"), kPages);
    EXPECT_EQ(made.host.at("faults").at("done"), kPages);
    EXPECT_EQ(made.host.at("faults").at("invalidations"), 0);
    EXPECT_EQ(made.host.at("copy_engine").at("copies"), kPages);
    EXPECT_EQ(made.host.at("memory").at("read_bytes"), kPages * kPageBytes);
    EXPECT_EQ(made.host.at("memory").at("write_bytes"), 0);
}

/// 2 MiB of S822LC. Measured: 126.7 us when 2,048 warps touch them, whose faults NVIDIA's driver serves in batches of
/// 256 and whole blocks; 14.9 us a fault, 477 us for 32 pages, one after the other. The simulated driver serves one
/// fault after the other too, with less work for each than NVIDIA's, and no batches: its time lies between the two. It
/// is not faster than the 40 GB/s of the link (1.6 us a page).
TEST(SimulatedUnifiedMemory, TakesATimeBetweenBatchesAndSingleFaults) {
    const Demanded made = run_demand("store");
    const HostMachine machine = real_machine("s822lc");
    const double batches_us = HostProgram(machine).demand_ns(cpu(0), gpu(0), kPages * kPageBytes) / 1000;
    const double single_us = kPages * HostProgram(machine).fault_ns(cpu(0), gpu(0)) / 1000;
    EXPECT_NEAR(batches_us, 126.7, 0.1 * 126.7) << "closed form beside the measurement";
    EXPECT_NEAR(single_us, kPages * 14.9, 0.01 * kPages * 14.9);
    EXPECT_GT(made.kernel_us, 126.7);
    EXPECT_LT(made.kernel_us, kPages * 14.9);
    EXPECT_GT(made.kernel_us, kPages * static_cast<double>(kPageBytes) / 40e3);
    // One after the other: the driver's core is busy for all but the first message and the last replay.
    const double busy_us = made.host.at("core").at("busy_ps").get<double>() / 1e6;
    EXPECT_GT(busy_us, 0.9 * made.kernel_us);
    EXPECT_LT(busy_us, made.kernel_us);
    EXPECT_LT(made.host.at("copy_engine").at("busy_ps").get<double>() / 1e6, busy_us);
}

} // namespace
} // namespace numavp::test
