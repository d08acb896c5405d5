/// Measured times beside computed ones: which errors count, which rows; and the conclusions of the thesis by the
/// transfers that they compare.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "communication/characterize/findings.h"
#include "communication/characterize/measured_comparison.h"
#include "tests/communication/characterize/machines.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

/// A point of a measurement of 100 ns that is computed with this error.
ComparedPoint off_by(double error, std::uint64_t x = 1 << 20) { return {x, 100, 0, 100 * (1 + error)}; }

TEST(ComparedErrors, TheWorstKeepsItsSignAndTheMedianHasNone) {
    const std::vector<ComparedPoint> odd{off_by(0.1), off_by(-0.3), off_by(0.2)},
        even{off_by(0.1), off_by(-0.5), off_by(-0.2), off_by(0.3)};
    EXPECT_DOUBLE_EQ(ComparedSeries::worst(odd), -0.3);
    EXPECT_NEAR(ComparedSeries::worst({off_by(0.4), off_by(-0.3)}), 0.4, 1e-12);
    EXPECT_NEAR(ComparedSeries::median(odd), 0.2, 1e-12);
    EXPECT_NEAR(ComparedSeries::median(even), 0.25, 1e-12) << "between the two in the middle";
    EXPECT_EQ(ComparedSeries::median({}), 0);
    EXPECT_EQ(ComparedSeries::within({off_by(0.5), off_by(-0.5), off_by(0.51)}, 0.5), 2U);
}

/// Of a measurement that scatters by 10 ns, 20 ns are within two deviations.
TEST(ComparedErrors, TwoDeviationsAreScatter) {
    const std::vector<ComparedPoint> points{{1, 100, 10, 120}, {1, 100, 10, 80}, {1, 100, 10, 120.1}, {1, 100, 0, 100}};
    EXPECT_EQ(ComparedSeries::scattered(points), 3U);
}

TEST(ComparedErrors, LargeIsFrom64KiBOn) {
    ComparedSeries series;
    series.points = {off_by(0, 65'535), off_by(0, 65'536), off_by(0, 65'537)};
    series.what.benchmark = Benchmark::peer;
    EXPECT_EQ(series.large().size(), 2U);
    series.what.benchmark = Benchmark::latency_to_gpu;
    EXPECT_EQ(series.large().size(), 3U) << "strides, all of them";
}

TEST(BenchmarkFigures, AreASlopeAndTheHighestRate) {
    EXPECT_DOUBLE_EQ(slope_ns({{4, 108}, {5, 110}, {6, 112}}), 2);
    EXPECT_DOUBLE_EQ(slope_ns({{4, 100}, {4, 200}}), 0) << "one number of strides has no slope";
    EXPECT_DOUBLE_EQ(plateau_gbytes_per_s({{1000, 1000}, {4000, 1000}, {8000, 4000}}), 4);
}

/// Two CPUs, eight GPUs, of which 16 pairs have an NVLink.
TEST(BenchmarkCases, AreThePairsOfTheMachine) {
    std::map<Benchmark, unsigned> counts;
    const HostMachine dgx = real_machine("dgx-1");
    for (const BenchmarkCase& one : benchmark_cases(dgx)) {
        ++counts[one.benchmark];
        const bool thread = one.benchmark != Benchmark::host_to_pinned && (!one.from.gpu || !one.to.gpu);
        const unsigned cpu = one.from.gpu ? one.to.index : one.from.index;
        if (thread) {
            EXPECT_EQ(one.thread, static_cast<int>(cpu)) << "the thread is the buffer's";
        }
    }
    EXPECT_EQ(counts[Benchmark::host_to_pinned], 4U);
    for (const Benchmark one : {Benchmark::pinned_to_gpu, Benchmark::gpu_to_pageable, Benchmark::latency_to_host})
        EXPECT_EQ(counts[one], 2U * 8) << kBenchmarks.name(one);
    EXPECT_EQ(counts[Benchmark::peer], 2U * 16);
    EXPECT_EQ(counts[Benchmark::staged], 2U * 8 * 7) << "for a thread on each CPU";
    EXPECT_EQ(counts[Benchmark::demand_between], 8U * 7);
}

MeasuredRow measured_row(const std::string& system, const std::string& benchmark, const std::string& to,
                         std::uint64_t x) {
    return {system, benchmark, "0", "cpu0", to, is_latency(*kBenchmarks.find(benchmark)), x, 1000, 0, 2};
}

/// Rows of other machines, of other benchmarks, of larger sizes, and of parts that are not there are left out; the
/// numbers of strides are no sizes.
TEST(MeasuredRows, AreThoseThatTheMachineHas) {
    const HostMachine dgx = real_machine("dgx-1");
    const std::string pinned = "NUMA_Memcpy_PinnedToGPU", chase = "NUMAUM_Latency_HostToGPU";
    const std::vector<MeasuredRow> rows{
        measured_row("DGX-1", pinned, "gpu1", 4096), measured_row("DGX-1", pinned, "gpu1", 256),
        measured_row("DGX-1", pinned, "gpu1", 4097), measured_row("AC922", pinned, "gpu1", 256),
        measured_row("DGX-1", pinned, "gpu9", 256),  measured_row("DGX-1", chase, "gpu1", 9000)};
    const MeasuredComparison all = compare_measured(dgx, rows, "m.csv", "", 4096);
    ASSERT_EQ(all.series.size(), 2U);
    ASSERT_EQ(all.series[0].points.size(), 2U);
    EXPECT_EQ(all.series[0].points[0].x, 256U) << "ascending";
    EXPECT_DOUBLE_EQ(all.series[0].points[1].ns, benchmark_ns(dgx, all.series[0].what, 4096));
    EXPECT_EQ(all.series[1].points[0].x, 9000U);
    EXPECT_EQ(all.other_systems, 1U);
    EXPECT_EQ(all.unknown, 1U);
    EXPECT_EQ(compare_measured(dgx, rows, "m.csv", chase, 4096).series.size(), 1U);
    const auto refused = [&](const std::vector<MeasuredRow>& some, const std::string& benchmark) {
        try {
            compare_measured(dgx, some, "m.csv", benchmark, 4096);
        } catch (const ConfigError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refused({rows[3]}, ""), HasSubstr("m.csv: it has no rows of DGX-1; its systems are AC922"));
    EXPECT_THAT(refused({rows[4]}, ""), HasSubstr("m.csv: it has no rows that DGX-1 can be compared with"));
    EXPECT_THAT(refused({rows[0]}, chase), HasSubstr(": none of NUMAUM_Latency_HostToGPU"));
}

/// GPUs 0 to 3 are CPU 0's; GPU 4 has an NVLink to GPU 0, GPUs 5 to 7 are reached over both CPUs.
TEST(Findings, CompareTheTransfersOfTheThesis) {
    const HostMachine dgx = real_machine("dgx-1");
    std::map<std::pair<std::string, std::string>, Finding> found;
    for (const Finding& one : find_findings(dgx)) found[{one.table, one.row}] = one;
    const std::vector<std::vector<std::string>> rows{
        {"4.1 affinity", "pageable to GPU", "cpu0-gpu0, cpu0-gpu4"},
        {"4.1 affinity", "GPU to pinned", "gpu0-cpu0, gpu4-cpu0"},
        {"4.2 anisotropy", "pinned (local)", "cpu0-gpu0, gpu0-cpu0"},
        {"4.2 anisotropy", "pageable (remote)", "cpu0-gpu4, gpu4-cpu0"},
        {"4.3 like CPU-GPU links", "pinned to GPU", "cpu0-gpu0, cpu0-gpu1"},
        {"4.3 like CPU-GPU links", "GPU to pageable", "gpu0-cpu0, gpu1-cpu0"},
        {"4.4 like GPU-GPU links", "peer (local)", "gpu0-gpu1, gpu1-gpu0"},
        {"4.4 like GPU-GPU links", "staged (local)", "gpu0-gpu1, gpu0-gpu2"},
        {"4.4 like GPU-GPU links", "peer (remote)", ""},
        {"4.4 like GPU-GPU links", "staged (remote)", "gpu0-gpu5, gpu0-gpu6"},
        {"5.1 affinity of demand", "CPU to GPU", "cpu0-gpu0, cpu0-gpu4"},
        {"5.1 affinity of demand", "GPU to CPU", "gpu0-cpu0, gpu4-cpu0"},
        {"5.2 affinity of prefetch", "GPU to GPU", "gpu0-gpu1, gpu0-gpu5"},
        {"5.3 anisotropy of demand", "CPU and GPU (remote)", "cpu0-gpu4, gpu4-cpu0"},
        {"5.4 anisotropy of prefetch", "GPU and GPU (remote)", "gpu0-gpu5, gpu5-gpu0"},
        {"5.5 page-fault latency", "CPU to GPU", "cpu0-gpu0"},
        {"5.5 page-fault latency", "GPU to CPU", "gpu0-cpu0"},
        {"5.5 page-fault latency", "GPU to GPU (remote)", "gpu0-gpu5"}};
    for (const std::vector<std::string>& row : rows) {
        const auto at = found.find({row[0], row[1]});
        ASSERT_NE(at, found.end()) << row[0] << ", " << row[1];
        EXPECT_EQ(at->second.between, row[2]) << row[0] << ", " << row[1];
        EXPECT_EQ(at->second.verdict == "none", row[2].empty());
    }
    for (const auto& [key, one] : found) {
        if (key.first == "5.5 page-fault latency" || one.verdict == "none") continue;
        EXPECT_EQ(one.verdict, one.difference >= 0.05    ? "yes"
                               : one.difference >= 0.025 ? "small"
                                                         : "no")
            << key.first << ", " << key.second;
    }
    // n strides take kernel_us + (n + 1) between_remote_gpus_us = 48 + 54.51 (n + 1) us
    // (configs/calibrations/dgx-1.json): each page faults, as one in each second leaf is less than the share of a block
    // that lets the driver prefetch.
    EXPECT_EQ(found.at({"5.5 page-fault latency", "GPU to GPU (remote)"}).verdict, "54.5 us");
    // The largest quotient of the two times, whichever is longer, at sizes from 1 MiB to 1 GiB.
    double most = 0;
    for (unsigned power = 20; power <= 30; ++power) {
        const std::uint64_t bytes = std::uint64_t{1} << power;
        const double near = benchmark_ns(dgx, {Benchmark::pinned_to_gpu, cpu(0), gpu(0), 0}, bytes),
                     far = benchmark_ns(dgx, {Benchmark::pinned_to_gpu, cpu(0), gpu(4), 0}, bytes);
        most = std::max(most, std::max(near, far) / std::min(near, far) - 1);
    }
    EXPECT_DOUBLE_EQ(found.at({"4.1 affinity", "pinned to GPU"}).difference, most);
}

} // namespace
} // namespace numavp::test
