/// What was measured on the three machines, as facts: plateaus, slopes of chases, and times at sizes.
///
/// Medians of five repetitions of C. Pearson's benchmarks (github.com/cwpearson/ms-thesis), and where the table says so
/// the thesis' own numbers. No number here is computed from a file of constants. Rows that no constant was fitted on
/// have a note.
#include <vector>

#include <gtest/gtest.h>

#include "communication/characterize/benchmark.h"
#include "tests/communication/characterize/machines.h"

namespace numavp::test {
namespace {

constexpr std::uint64_t kAllSizes = std::uint64_t{1} << 33;

struct MeasuredPlateau {
    const char* machine;
    BenchmarkCase what;
    double gbytes_per_s;  ///< the best of all sizes
    double within = 0.02; ///< share
};

void expect_plateaus(const std::vector<MeasuredPlateau>& rows) {
    for (const MeasuredPlateau& row : rows) {
        const HostMachine machine = real_machine(row.machine);
        const double ours = plateau_gbytes_per_s(run_benchmark(machine, row.what, kAllSizes).points);
        EXPECT_NEAR(ours, row.gbytes_per_s, row.within * row.gbytes_per_s)
            << row.machine << " " << kBenchmarks.name(row.what.benchmark) << " " << end_name(machine, row.what.from)
            << " " << end_name(machine, row.what.to);
    }
}

TEST(MeasuredPlateaus, OfPinnedAndWriteCombinedCopies) {
    expect_plateaus({
        {"s822lc", {Benchmark::pinned_to_gpu, cpu(0), gpu(0), 0}, 31.96},
        {"s822lc", {Benchmark::pinned_to_gpu, cpu(0), gpu(2), 0}, 29.95},
        {"s822lc", {Benchmark::gpu_to_pinned, gpu(0), cpu(0), 0}, 33.87},
        {"s822lc", {Benchmark::gpu_to_pinned, gpu(2), cpu(0), 0}, 21.88},
        {"s822lc", {Benchmark::combined_to_gpu, cpu(0), gpu(0), 0}, 33.15, 0.04}, // not fitted
        {"s822lc", {Benchmark::gpu_to_combined, gpu(0), cpu(0), 0}, 33.87},       // not fitted
        {"ac922", {Benchmark::pinned_to_gpu, cpu(0), gpu(0), 0}, 70.52},
        {"ac922", {Benchmark::pinned_to_gpu, cpu(0), gpu(2), 0}, 41.65},
        {"ac922", {Benchmark::gpu_to_pinned, gpu(0), cpu(0), 0}, 70.55},
        {"ac922", {Benchmark::gpu_to_pinned, gpu(2), cpu(0), 0}, 35.56},
        {"dgx-1", {Benchmark::pinned_to_gpu, cpu(0), gpu(0), 0}, 11.06},
        {"dgx-1", {Benchmark::pinned_to_gpu, cpu(0), gpu(4), 0}, 11.05},
        {"dgx-1", {Benchmark::gpu_to_pinned, gpu(0), cpu(0), 0}, 12.43},
        {"dgx-1", {Benchmark::gpu_to_pinned, gpu(4), cpu(0), 0}, 12.43},
    });
}

/// The one pair that does not reach its row, GPU 0 to GPU 1 with the thread on CPU 0 (20.4 GB/s), is in
/// docs/papers/REAL_MACHINES.md.
TEST(MeasuredPlateaus, OfCopiesBetweenGpusAndOfThreads) {
    expect_plateaus({
        {"s822lc", {Benchmark::peer, gpu(0), gpu(1), -1}, 35.49},
        {"ac922", {Benchmark::peer, gpu(0), gpu(1), -1}, 70.54},
        {"dgx-1", {Benchmark::peer, gpu(0), gpu(1), -1}, 18.49},
        {"s822lc", {Benchmark::staged, gpu(0), gpu(1), 1}, 20.33}, // not fitted, as the next two
        {"s822lc", {Benchmark::staged, gpu(1), gpu(0), 1}, 20.40},
        {"s822lc", {Benchmark::staged, gpu(1), gpu(0), 0}, 28.24, 0.07},
        {"s822lc", {Benchmark::pageable_to_gpu, cpu(0), gpu(0), 0}, 28.42, 0.05},
        {"s822lc", {Benchmark::gpu_to_pageable, gpu(1), cpu(0), 0}, 17.85, 0.04},
        {"s822lc", {Benchmark::host_to_pinned, cpu(0), cpu(0), -1}, 31.19},
        {"s822lc", {Benchmark::host_to_pinned, cpu(0), cpu(1), -1}, 13.52},
        {"dgx-1", {Benchmark::host_to_pinned, cpu(0), cpu(0), -1}, 9.43},
        {"dgx-1", {Benchmark::host_to_pinned, cpu(0), cpu(1), -1}, 13.76},
        {"ac922", {Benchmark::host_to_pinned, cpu(0), cpu(0), -1}, 15.10, 0.04},
    });
}

TEST(MeasuredPlateaus, OfUnifiedMemory) {
    expect_plateaus({
        {"s822lc", {Benchmark::prefetch_to_gpu, cpu(0), gpu(0), 0}, 31.12},
        {"s822lc", {Benchmark::prefetch_to_host, gpu(0), cpu(0), 0}, 32.10},
        {"ac922", {Benchmark::prefetch_to_gpu, cpu(0), gpu(0), 0}, 54.85, 0.03},
        {"ac922", {Benchmark::prefetch_to_host, gpu(0), cpu(0), 0}, 65.33},
        {"dgx-1", {Benchmark::prefetch_to_gpu, cpu(0), gpu(0), 0}, 10.73},
        {"dgx-1", {Benchmark::prefetch_to_host, gpu(0), cpu(0), 0}, 12.22},
        {"s822lc", {Benchmark::prefetch_between, gpu(0), gpu(1), -1}, 39.11},
        {"s822lc", {Benchmark::demand_to_gpu, cpu(0), gpu(0), 0}, 25.32},
        {"s822lc", {Benchmark::demand_to_gpu, cpu(0), gpu(1), 0}, 25.59},
        {"s822lc", {Benchmark::demand_to_host, gpu(0), cpu(0), 0}, 14.28},
        {"s822lc", {Benchmark::demand_to_host, gpu(1), cpu(0), 0}, 14.37, 0.03},
        {"s822lc", {Benchmark::demand_between, gpu(0), gpu(1), -1}, 32.04, 0.10},
    });
}

/// Table 5.5 of the thesis; "GPU 2 (remote)" of the DGX-1 is GPU 5 in its data.
TEST(MeasuredFaults, HaveTheLatenciesOfTheThesis) {
    struct Row {
        const char* machine;
        double to_gpu_us, to_host_us, between_us, between_remote_us;
        unsigned remote;
    };
    for (const Row& row : {Row{"s822lc", 14.9, 13.6, 25.5, 28.8, 2}, Row{"ac922", 24.1, 27.4, 38.0, 41.5, 2},
                           Row{"dgx-1", 35.3, 26.5, 36.7, 54.4, 5}}) {
        const HostMachine machine = real_machine(row.machine);
        const auto us = [&](Benchmark benchmark, TransferEnd from, TransferEnd to) {
            return slope_ns(run_benchmark(machine, {benchmark, from, to, -1}, kAllSizes).points) / 1000;
        };
        constexpr double kWithin = 0.015;
        EXPECT_NEAR(us(Benchmark::latency_to_gpu, cpu(0), gpu(0)), row.to_gpu_us, kWithin * row.to_gpu_us);
        EXPECT_NEAR(us(Benchmark::latency_to_host, gpu(0), cpu(0)), row.to_host_us, kWithin * row.to_host_us);
        EXPECT_NEAR(us(Benchmark::latency_between, gpu(0), gpu(1)), row.between_us, kWithin * row.between_us);
        EXPECT_NEAR(us(Benchmark::latency_between, gpu(0), gpu(row.remote)), row.between_remote_us,
                    kWithin * row.between_remote_us)
            << row.machine;
    }
}

struct MeasuredTime {
    std::uint64_t bytes;
    double us;
};

void expect_times(const char* name, const BenchmarkCase& what, const std::vector<MeasuredTime>& rows, double within) {
    const HostMachine machine = real_machine(name);
    for (const MeasuredTime& row : rows)
        EXPECT_NEAR(benchmark_ns(machine, what, row.bytes) / 1000, row.us, within * row.us)
            << name << " " << kBenchmarks.name(what.benchmark) << " " << row.bytes;
}

constexpr std::uint64_t kKiB = 1024;

/// One to six faults for 64 KiB to 2 MiB; from then on each block takes as long as the one before.
TEST(MeasuredTimes, OfACpuThatTouchesAGpusPages) {
    expect_times("s822lc", {Benchmark::demand_to_host, gpu(0), cpu(0), 0},
                 {{128 * kKiB, 29.6},
                  {256 * kKiB, 43.3},
                  {512 * kKiB, 64.1},
                  {1024 * kKiB, 94.5},
                  {2048 * kKiB, 148.7},
                  {4 * kMiB, 293.7},
                  {64 * kMiB, 4704.8},
                  {1024 * kMiB, 77041.3}},
                 0.06);
}

/// Batches of 256 faults; beyond 768 MiB they come slower.
TEST(MeasuredTimes, OfAGpuThatTouchesTheHostsPages) {
    expect_times("s822lc", {Benchmark::demand_to_gpu, cpu(0), gpu(0), 0},
                 {{64 * kKiB, 48.6},
                  {4 * kMiB, 197.8},
                  {8 * kMiB, 340.8},
                  {16 * kMiB, 669.4},
                  {32 * kMiB, 1368.1},
                  {512 * kMiB, 21391.6},
                  {2048 * kMiB, 94705.1},
                  {8192 * kMiB, 412846.8}},
                 0.08);
}

/// Linux' single flushes up to 128 KiB, the step at 512 KiB, the slower rest beyond 4 GiB.
TEST(MeasuredTimes, OfPrefetches) {
    expect_times("dgx-1", {Benchmark::prefetch_to_gpu, cpu(0), gpu(0), 0},
                 {{64 * kKiB, 66.6},
                  {128 * kKiB, 84.8},
                  {256 * kKiB, 86.1},
                  {512 * kKiB, 150.0},
                  {16 * kMiB, 1734.0},
                  {1024 * kMiB, 100166.4}},
                 0.04);
    expect_times("dgx-1", {Benchmark::prefetch_to_host, gpu(0), cpu(0), 0},
                 {{256 * kKiB, 89.8},
                  {512 * kKiB, 163.3},
                  {2 * kMiB, 375.1},
                  {64 * kMiB, 5645.1},
                  {4096 * kMiB, 358595.3},
                  {8192 * kMiB, 803491.7}},
                 0.04);
    expect_times("ac922", {Benchmark::prefetch_to_gpu, cpu(0), gpu(0), 0},
                 {{64 * kKiB, 93.9}, {2 * kMiB, 162.0}, {64 * kMiB, 1299.2}, {8192 * kMiB, 157218.6}}, 0.06);
    expect_times("s822lc", {Benchmark::prefetch_between, gpu(0), gpu(1), -1},
                 {{256 * kMiB, 7278.4}, {512 * kMiB, 13767.9}, {2048 * kMiB, 54911.3}}, 0.05);
}

/// Within the call up to 64 KiB, two buffers beyond, and from 32 MiB on the thread's own rate.
TEST(MeasuredTimes, OfPageableCopies) {
    expect_times("s822lc", {Benchmark::pageable_to_gpu, cpu(0), gpu(0), 0},
                 {{4 * kKiB, 8.8},
                  {64 * kKiB, 15.3},
                  {128 * kKiB, 15.6},
                  {1024 * kKiB, 70.8},
                  {4 * kMiB, 191.9},
                  {16 * kMiB, 590.3},
                  {32 * kMiB, 2015.7},
                  {256 * kMiB, 21780.9},
                  {8192 * kMiB, 712329.6}},
                 0.12);
}

} // namespace
} // namespace numavp::test
