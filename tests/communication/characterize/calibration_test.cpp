/// The files of constants: each constant has a reason, and each link of the machine a format.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "communication/characterize/benchmark.h"
#include "communication/characterize/measured_file.h"
#include "tests/communication/characterize/machines.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

/// Paths of the numbers that a file sets; lists count as one.
void add_constants(const json& value, const std::string& path, std::vector<std::string>& all) {
    for (const auto& [key, member] : value.items()) {
        const std::string here = path.empty() ? key : fmt::format("{}.{}", path, key);
        if (key == "reasons" || key == "name" || key == "system" || key == "description") continue;
        if (member.is_object())
            add_constants(member, here, all);
        else
            all.push_back(here);
    }
}

TEST(Calibrations, HaveAReasonForEachConstant) {
    for (const char* name : kRealMachines) {
        const std::string file = calibration_file(name);
        ASSERT_FALSE(file.empty()) << name;
        const json value = load_json_file(file);
        const Calibration calibration = load_calibration(file);
        std::vector<std::string> constants;
        add_constants(value, "", constants);
        for (const std::string& constant : constants)
            EXPECT_TRUE(std::any_of(calibration.reasons.begin(), calibration.reasons.end(),
                                    [&](const CalibrationReason& reason) {
                                        const std::string& of = reason.constant;
                                        return constant == of || constant.rfind(of + ".", 0) == 0;
                                    }))
                << name << ": " << constant;
        for (const CalibrationReason& reason : calibration.reasons) {
            EXPECT_FALSE(reason.reason.empty()) << reason.constant;
            EXPECT_TRUE(std::any_of(constants.begin(), constants.end(),
                                    [&](const std::string& constant) {
                                        return constant == reason.constant ||
                                               constant.rfind(reason.constant + ".", 0) == 0;
                                    }))
                << name << " has no " << reason.constant;
        }
    }
}

TEST(Calibrations, NameEachLinkOfTheirMachine) {
    for (const char* name : kRealMachines) {
        const HostMachine machine = real_machine(name);
        for (const TransferLink& link : machine.graph().links())
            EXPECT_TRUE(std::any_of(machine.calibration().formats.begin(), machine.calibration().formats.end(),
                                    [&](const CalibrationFormat& format) { return format.link == link.kind; }))
                << name << " " << link.kind;
    }
}

/// Rows of the whole file, as the thesis' author has them for the pairs of his machines.
TEST(Benchmarks, CoverEachPair) {
    const HostMachine machine = real_machine("s822lc");
    std::map<Benchmark, unsigned> cases;
    for (const BenchmarkCase& what : benchmark_cases(machine)) ++cases[what.benchmark];
    EXPECT_EQ(cases.size(), kBenchmarks.size());
    EXPECT_EQ(cases[Benchmark::host_to_pinned], 4U);
    EXPECT_EQ(cases[Benchmark::pinned_to_gpu], 8U);
    EXPECT_EQ(cases[Benchmark::peer], 4U) << "in the sockets only";
    EXPECT_EQ(cases[Benchmark::staged], 24U);
    EXPECT_EQ(benchmark_sizes(Benchmark::peer).back(), std::uint64_t{1} << 31);
    EXPECT_EQ(benchmark_sizes(Benchmark::staged).back(), std::uint64_t{1} << 33);
    EXPECT_EQ(benchmark_sizes(Benchmark::latency_to_gpu).size(), 31U);
}

/// What is written is read again.
TEST(MeasuredFile, GoesRound) {
    const HostMachine machine = real_machine("ac922");
    const BenchmarkCase what{Benchmark::gpu_to_pinned, gpu(2), cpu(1), 1};
    const BenchmarkSeries series = run_benchmark(machine, what, 1 << 20);
    TempDir folder;
    const std::string path = folder.write("m.csv", measured_text(machine, {series}));
    const std::vector<MeasuredRow> rows = read_measured(path);
    ASSERT_EQ(rows.size(), series.points.size());
    EXPECT_EQ(rows[3].system, "AC922");
    EXPECT_EQ(rows[3].thread, "8");
    EXPECT_EQ(rows[3].from, "gpu2");
    EXPECT_EQ(rows[3].to, "cpu8");
    EXPECT_EQ(rows[3].x, 2048U);
    EXPECT_NEAR(rows[3].median_ns, series.points[3].ns, 0.06);
}

TEST(Benchmarks, SlopeAndLevel) {
    EXPECT_NEAR(slope_ns({{4, 100}, {5, 110}, {6, 120}}), 10, 1e-9);
    EXPECT_EQ(slope_ns({{4, 100}}), 0);
    EXPECT_NEAR(plateau_gbytes_per_s({{100, 50}, {1000, 100}, {2000, 300}}), 10, 1e-9);
}

} // namespace
} // namespace numavp::test
