/// Latencies by footprint of machines whose caches are made smaller, so that few lines show each level: the levels are
/// those that gpu-benches (RRZE-HPC, commit 1038c5d, gpu-latency) measured on the whole machines.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "common/system/load_system.h"
#include "platform/latency/latency_curve.h"
#include "platform/latency/measured_latency.h"
#include "tests/support/run_apart.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

struct Level {
    std::uint64_t kib;
    double measured_cycles; ///< of the plateau
};
struct SmallMachine {
    const char* system;
    std::vector<std::string> settings;
    std::vector<Level> levels;
};

class Latencies : public ::testing::TestWithParam<SmallMachine> {};

TEST_P(Latencies, AreThoseOfSilicon) {
    const SmallMachine& machine = GetParam();
    std::vector<std::uint64_t> footprints;
    for (const Level& level : machine.levels) footprints.push_back(level.kib << 10);
    const SystemConfig config = load_system(machine.system, machine.settings);
    const nlohmann::json cycles = run_apart([&] {
        nlohmann::json all = nlohmann::json::array();
        for (const LatencyPoint& point : latency_curve(config, footprints)) all.push_back(point.cycles);
        return all;
    });
    ASSERT_EQ(cycles.size(), machine.levels.size());
    for (std::size_t i = 0; i < cycles.size(); ++i)
        EXPECT_NEAR(cycles[i].get<double>(), machine.levels[i].measured_cycles, 0.1 * machine.levels[i].measured_cycles)
            << machine.levels[i].kib << " KiB";
}

/// L1 and halves of 1/32 of an A100's, and of a GH200's: near, then misses of the near half, then of both.
const std::vector<std::string> kSmallA100 = {"socket.sms=1", "socket.sm.l1.size_kib=10", "socket.l2.size_kib=640"};
const std::vector<std::string> kSmallGh200 = {"socket.sms=1", "socket.sm.l1.size_kib=14", "socket.l2.size_kib=960",
                                              "translation.mode=off", "driver.execution=none"};
const std::vector<std::string> kSmallMi300x = {"xcd.sms=1", "xcd.sm.l1.size_kib=8", "xcd.l2.size_kib=128",
                                               "iod.memory.cache.size_kib=128"};
INSTANTIATE_TEST_SUITE_P(
    Small, Latencies,
    ::testing::Values(SmallMachine{"a100", kSmallA100, {{8, 33.3}, {512, 205.6}, {960, 400}, {4096, 551}}},
                      SmallMachine{"gh200", kSmallGh200, {{12, 32.3}, {768, 280.4}, {1536, 500}, {4096, 685}}},
                      SmallMachine{"mi300x", kSmallMi300x, {{6, 120}, {96, 213}, {384, 456}, {1536, 876}}}),
    [](const auto& param) { return std::string(param.param.system); });

TEST(LatencyCurve, HasPointsBelowAndBeyondEachCache) {
    const std::vector<std::uint64_t> all = footprints_of(load_system("a100", {}));
    EXPECT_EQ(all.front(), 16U << 10);
    EXPECT_GT(all.back(), 40U << 20);
    EXPECT_LE(all.back(), 60U << 20);
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_GT(all[i], all[i - 1]);
        EXPECT_LE(2 * all[i], 3 * all[i - 1]);
    }
}

TEST(MeasuredLatencies, AreThoseOfOneSystemAndWrongRowsAreNamed) {
    TempDir dir;
    const std::string path = dir.write("m.csv", "system,kib,cycles\na,16,33.5\nb,16,120\na,512,205\n");
    const std::vector<MeasuredLatency> points = read_measured_latency(path, "a");
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[1].bytes, 512U << 10);
    EXPECT_EQ(points[1].cycles, 205);
    EXPECT_THROW(read_measured_latency(path, "c"), ConfigError);
    for (const char* wrong : {"a,16", "a,0,33", "a,16,x", "a,16,33,1", "a,16,-1"}) {
        dir.write("w.csv", std::string("system,kib,cycles\n") + wrong + "\n");
        try {
            read_measured_latency(dir.path("w.csv"), "a");
            ADD_FAILURE() << wrong;
        } catch (const ConfigError& error) {
            EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
        }
    }
}

} // namespace
} // namespace numavp::test
