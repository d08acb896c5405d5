/// Unified memory of the three machines against closed forms: faults of the tree prefetcher, batches, prefetches.
#include <gtest/gtest.h>

#include "communication/characterize/benchmark.h"
#include "tests/communication/characterize/machines.h"

namespace numavp::test {
namespace {

/// The chase's stride of 128 KiB leaves each second leaf out, so that each page faults: measured with 4 and 34 strides
/// on S822LC, 99.2 and 536.1 us.
TEST(UnifiedMemory, EveryStrideOfTheChaseFaults) {
    const HostMachine machine = real_machine("s822lc");
    EXPECT_NEAR(HostProgram(machine).chase_ns(cpu(0), gpu(0), 4), 99'200, 3'000);
    EXPECT_NEAR(HostProgram(machine).chase_ns(cpu(0), gpu(0), 34), 536'100, 9'000);
}

/// Algorithms 5.5 and 5.6 as they are printed: 2 PAGE_SIZE elements of 8 bytes. With pages of 64 KiB that is 1 MiB, and
/// each page faults as with 128 KiB. With pages of 4 KiB it is a leaf of the prefetcher's tree: of pages 0 to 31, a
/// block, six fault (0, 1, 2, 4, 8, 16), and of the three leaves that the array has of the next block two (the second
/// makes two of three), each for the 35.3 us of Table 5.5. The measured slope is of a fault for each stride, so that
/// its list had wider strides.
TEST(UnifiedMemory, TheStrideOfTheAlgorithmsIsALeafOfTheDgx) {
    const auto us = [](const char* name, const char* stride, unsigned strides) {
        const HostMachine machine = load_host_machine(name, {}, "", {stride});
        return HostProgram(machine).chase_ns(cpu(0), gpu(0), strides) / 1000;
    };
    EXPECT_NEAR(us("s822lc", "chase_kib=1024", 34), us("s822lc", "chase_kib=128", 34), 1e-6);
    EXPECT_NEAR(us("dgx-1", "chase_kib=64", 31) - us("dgx-1", "chase_kib=64", 15), 35.3, 0.3) << "page 16";
    EXPECT_NEAR(us("dgx-1", "chase_kib=64", 31) - us("dgx-1", "chase_kib=64", 17), 0, 1e-6) << "it brings the rest";
    EXPECT_NEAR(us("dgx-1", "chase_kib=64", 34) - us("dgx-1", "chase_kib=64", 31), 2 * 35.3, 1) << "the next block";
    EXPECT_NEAR(us("dgx-1", "chase_kib=128", 31) - us("dgx-1", "chase_kib=128", 16), 15 * 35.3, 3);
}

/// One thread takes 77.0 ms for 1 GiB of a GPU of S822LC (measured). More threads fault side by side until the link is
/// full, which pinned copies measure as 33.87 GB/s. Within a block faults are served one after the other.
TEST(UnifiedMemory, ThreadsOfACpuFaultSideBySide) {
    const auto us = [](const char* threads, std::uint64_t bytes) {
        const HostMachine machine = load_host_machine("s822lc", {}, "", {threads});
        return HostProgram(machine).demand_ns(gpu(0), cpu(0), bytes) / 1000;
    };
    EXPECT_NEAR(us("faults.host_threads=1", 1024 * kMiB), 77'041, 2'000);
    EXPECT_NEAR(us("faults.host_threads=2", 1024 * kMiB), 77'041 / 2.0, 1'000);
    for (const char* many : {"faults.host_threads=4", "faults.host_threads=10"})
        EXPECT_NEAR(1024 * kMiB / us(many, 1024 * kMiB) / 1000, 33.87, 0.4) << many;
    EXPECT_NEAR(us("faults.host_threads=10", 2 * kMiB), 148.7, 3) << "one block";
    EXPECT_NEAR(us("faults.host_threads=2", 6 * kMiB), 293.7, 6) << "three blocks: one thread has two";
}

/// Facts of the driver: 64 KiB, 128 KiB ... 2 MiB touched in order are 1 to 6 faults.
TEST(UnifiedMemory, ACpuInOrderFaultsSixTimesABlock) {
    const HostMachine machine = real_machine("s822lc");
    const HostProgram program(machine);
    const CalibrationFaults& f = machine.calibration().faults;
    const double link = program.moved_gbytes_per_s(gpu(0), cpu(0));
    const double leaf = f.leaf_us * 1000 + 65536 / link, fault = f.to_host_us * 1000 - leaf;
    unsigned faults = 1;
    for (std::uint64_t bytes = 65536; bytes <= 2 * kMiB; bytes *= 2, ++faults) {
        const std::uint64_t count = bytes / 65536;
        const double ns = f.host_call_us * 1000 + faults * fault + static_cast<double>(count) * leaf;
        EXPECT_NEAR(program.demand_ns(gpu(0), cpu(0), bytes), ns, 1e-3) << bytes;
    }
    const double blocks = program.demand_ns(gpu(0), cpu(0), 64 * kMiB) - program.demand_ns(gpu(0), cpu(0), 32 * kMiB);
    EXPECT_NEAR(blocks, 16 * (6 * fault + 32 * leaf), 1e-2);
}

/// Beyond `late_mib` no link helps: the last 8 of 4,096 blocks cost the same from the host and from another GPU.
TEST(UnifiedMemory, LateBlocksComeAtOneRate) {
    const HostMachine machine = real_machine("s822lc");
    const HostProgram program(machine);
    const CalibrationFaults& f = machine.calibration().faults;
    const double eight = 16.0 * kMiB / f.late_gbytes_per_s;
    for (const TransferEnd from : {cpu(0), gpu(1)}) {
        const auto ns = [&](std::uint64_t mib) { return program.demand_ns(from, gpu(0), mib * kMiB); };
        EXPECT_NEAR(ns(2048) - ns(2032), eight, 1);
        EXPECT_LT(ns(768) - ns(752), 0.9 * eight);
    }
}

TEST(UnifiedMemory, OneGpusFaultsMayTakeLonger) {
    const HostMachine machine = real_machine("s822lc");
    const HostProgram program(machine);
    const CalibrationFaults& f = machine.calibration().faults;
    const auto stride = [&](TransferEnd from, TransferEnd to) {
        return program.chase_ns(from, to, 20) - program.chase_ns(from, to, 19);
    };
    EXPECT_NEAR(stride(cpu(0), gpu(0)), f.to_gpu_us * 1000, 1e-6);
    EXPECT_NEAR(stride(cpu(0), gpu(1)), 16'410, 1e-6);
    EXPECT_NEAR(stride(gpu(1), cpu(0)), 13'980, 1e-6);
    EXPECT_NEAR(stride(gpu(2), cpu(0)), f.to_host_us * 1000, 1e-6);
}

/// From `large_between_gpus_mib` on; only where they access each other.
TEST(UnifiedMemory, LargePrefetchesBetweenPeersNeedLess) {
    const HostMachine machine = real_machine("s822lc");
    const HostProgram program(machine);
    const auto rate = [&](unsigned to, std::uint64_t mib) { // of the flow
        const double call =
            program.prefetch_ns(gpu(0), gpu(to), 0) + machine.calibration().prefetch.between_gpus.first_us * 1000;
        return static_cast<double>(mib * kMiB) / (program.prefetch_ns(gpu(0), gpu(to), mib * kMiB) - call);
    };
    EXPECT_NEAR(rate(1, 512) / rate(1, 511), 1 / 0.908, 1e-6);
    EXPECT_NEAR(rate(2, 512) / rate(2, 511), 1, 1e-6);
}

/// Pages of 4 KiB: a batch covers 16 leaves of a block, half of it, so that a block takes two.
TEST(UnifiedMemory, SmallPagesTakeTwoBatchesABlock) {
    const HostMachine machine = real_machine("dgx-1");
    const HostProgram program(machine);
    const CalibrationFaults& f = machine.calibration().faults;
    const double leaf = 65536 / program.moved_gbytes_per_s(cpu(0), gpu(0));
    const double batch = f.to_gpu_us * 1000 - (f.block_us + f.gpu_leaf_us) * 1000 - leaf;
    const double block = 2 * (batch + f.block_us * 1000) + 32 * (f.gpu_leaf_us * 1000 + leaf);
    EXPECT_NEAR(program.demand_ns(cpu(0), gpu(0), 2 * kMiB), f.write_kernel_us * 1000 + block, 1e-2);
}

/// The first `first_kib` take longer in proportion; from `step_kib` on comes a step; what is late has its own rate.
TEST(UnifiedMemory, PrefetchesHaveAFirstPartAStepAndALatePart) {
    const auto growth = [](const HostMachine& machine, std::uint64_t from_bytes, std::uint64_t bytes) {
        const HostProgram program(machine);
        return program.prefetch_ns(gpu(0), cpu(0), from_bytes + bytes) -
               program.prefetch_ns(gpu(0), cpu(0), from_bytes);
    };
    const HostMachine power = real_machine("s822lc");
    const CalibrationPrefetchWay& first = power.calibration().prefetch.to_host;
    ASSERT_EQ(first.first_kib, 8192U);
    EXPECT_NEAR(growth(power, 6 * kMiB, 2 * kMiB) - growth(power, 8 * kMiB, 2 * kMiB), first.first_us * 1000 / 4, 1e-2);

    const HostMachine dgx = real_machine("dgx-1");
    const CalibrationPrefetchWay& way = dgx.calibration().prefetch.to_host;
    ASSERT_EQ(way.step_kib, 512U);
    const std::uint64_t step = 512 * 1024, page = 4096;
    EXPECT_NEAR(growth(dgx, step - page, page) - growth(dgx, step, page), way.step_us * 1000, 1e-2);

    ASSERT_EQ(way.late_mib, 4096U);
    EXPECT_NEAR(growth(dgx, 4096 * kMiB, 1024 * kMiB),
                512 * way.block_us * 1000 + 1024.0 * kMiB / way.late_gbytes_per_s, 1);
    EXPECT_LT(growth(dgx, 3072 * kMiB, 1024 * kMiB), growth(dgx, 4096 * kMiB, 1024 * kMiB));
}

/// Without peer access pages go through the host, out and in at once: the slower of both.
TEST(UnifiedMemory, MovesThroughTheHostWithoutPeers) {
    const HostMachine machine = real_machine("s822lc");
    const HostProgram program(machine);
    EXPECT_NEAR(program.moved_gbytes_per_s(gpu(0), gpu(2)), program.moved_gbytes_per_s(cpu(0), gpu(2)), 1e-6);
    EXPECT_GT(program.moved_gbytes_per_s(gpu(0), gpu(1)), program.moved_gbytes_per_s(gpu(0), gpu(2)));
}

/// Linux flushes 33 pages of 4 KiB one by one, and 34 at once: of each block, when pages go to a GPU.
TEST(UnifiedMemory, FewPagesAreFlushedOneByOne) {
    const HostMachine machine = real_machine("dgx-1");
    const HostProgram program(machine);
    const CalibrationPrefetch& p = machine.calibration().prefetch;
    ASSERT_EQ(p.flush_pages, 33U);
    const auto growth = [&](TransferEnd from, TransferEnd to, std::uint64_t pages) {
        return program.prefetch_ns(from, to, 4096 * (pages + 1)) - program.prefetch_ns(from, to, 4096 * pages);
    };
    const double plain = growth(cpu(0), gpu(0), 40), one = p.flush_us * 1000;
    EXPECT_NEAR(growth(cpu(0), gpu(0), 32), plain + one, 1);
    EXPECT_NEAR(growth(cpu(0), gpu(0), 33), plain - 33 * one, 1);
    EXPECT_NEAR(growth(cpu(0), gpu(0), 512 + 5) - growth(cpu(0), gpu(0), 512 + 40), one, 1) << "the second block";
    EXPECT_NEAR(growth(gpu(0), cpu(0), 32), growth(gpu(0), cpu(0), 33), 1) << "CPUs have no mappings";
    const HostMachine large = real_machine("s822lc");
    EXPECT_EQ(large.calibration().prefetch.flush_us, 0);
}

/// More bytes never take less time.
TEST(UnifiedMemory, TimesGrow) {
    for (const char* name : kRealMachines) {
        const HostMachine machine = real_machine(name);
        for (const BenchmarkCase& what : benchmark_cases(machine)) {
            if (what.from.index > 2 || what.to.index > 2) continue;
            double before = 0;
            for (const BenchmarkPoint& point : run_benchmark(machine, what, 8 * kMiB).points) {
                EXPECT_GE(point.ns, before) << name << " " << kBenchmarks.name(what.benchmark) << " " << point.x;
                before = point.ns;
            }
        }
    }
}

} // namespace
} // namespace numavp::test
