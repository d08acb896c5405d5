/// Today's machines (docs/use/PRESETS.md): what their settings amount to is what its sources say, and they run with the
/// values of a flat memory.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "common/system/derived.h"
#include "common/system/load_system.h"
#include "common/system/network_settings.h"
#include "common/system/system_parts.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"

namespace numavp::test {
namespace {

/// Sums over a machine, of the makers or measured.
struct Cited {
    const char* system;
    unsigned sms; ///< or CUs
    double memory_tbps;
    unsigned capacity_gib; ///< GB of the data sheets
    double l2_mib, side_cache_mib;
};

class Today : public ::testing::TestWithParam<Cited> {
  protected:
    SystemConfig load() const { return load_system(GetParam().system, {}); }
};

TEST_P(Today, AmountsToWhatIsCited) {
    const Cited& cited = GetParam();
    const SystemConfig c = load();
    const SystemTotals sum = system_totals(c);
    EXPECT_EQ(sum.sms, cited.sms);
    EXPECT_NEAR(sum.memory_gbps / 1000.0, cited.memory_tbps, 0.005 * cited.memory_tbps);
    EXPECT_EQ(sum.memory_bytes >> 30, cited.capacity_gib);
    constexpr double kMib = 1 << 20;
    EXPECT_EQ(static_cast<double>(sum.l2_bytes) / kMib, cited.l2_mib);
    double side_kib = 0;
    for (unsigned s = 0; s < c.sockets; ++s) side_kib += c.socket_at(s).memory.cache.size_kib;
    EXPECT_EQ(side_kib / 1024, cited.side_cache_mib);
}

/// Every load sees the value of a sequential execution, and so does memory at the end.
void expect_right_values(SystemConfig c) {
    c.checks.protocol = true;
    c.checks.functional = true;
    c.driver.fill = PageFill::zeros; // the program's memory begins as zeros
    RandomProgramShape shape;
    shape.kernels = 2;
    shape.blocks = 16;
    RandomProgram program(3, shape);
    SystemOptions options;
    options.hooks = &program;
    System system(c, program.workload(), options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
    EXPECT_GT(program.compared_bytes(), 1000U);
    EXPECT_EQ(system.progress().kernels_done, shape.kernels);
}
TEST_P(Today, RunsWithTheRightValues) { expect_right_values(load()); }
TEST(H200, RunsWithTheRightValues) { expect_right_values(load_system("h200", {})); }
TEST(H200, RunsWithTheRightValuesAsTwoHalves) { expect_right_values(load_system("h200-halves", {})); }

INSTANTIATE_TEST_SUITE_P(All, Today,
                         ::testing::Values(Cited{"a100", 108, 1.87, 80, 40, 0}, Cited{"h100", 132, 3.0, 80, 50, 0},
                                           Cited{"gh200", 132, 3.94, 96, 60, 0}, Cited{"b200", 148, 7.3, 192, 126, 0},
                                           Cited{"b200-copies", 148, 7.3, 192, 126, 0},
                                           Cited{"mi300x", 304, 5.325, 192, 32, 256},
                                           Cited{"mi300x-cpx", 38, 5.325, 192, 4, 256},
                                           Cited{"mi300x-nps4", 38, 1.331, 48, 4, 64},
                                           Cited{"mi355x", 256, 8.0, 288, 32, 256}),
                         [](const auto& param) {
                             std::string name = param.param.system;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

/// Channels between parts: bytes a second each way, of all of a kind of wire.
TEST(TodayLinks, AmountToWhatIsCited) {
    const SystemConfig gh200 = load_system("gh200", {});
    EXPECT_EQ(gh200.host.link_gbps, 450.0);
    EXPECT_EQ(gh200.host.memory_gbps, 512.0);
    EXPECT_EQ(gh200.host.capacity_gib, 480U);
    const auto wire_gbps = [](const SystemConfig& c, std::size_t wire) {
        const NetworkWire& w = c.network.wires.at(wire);
        for (const NetworkLink& link : c.network.links)
            if (link.name == w.link) return w.channels * link.gbytes_per_s;
        return 0.0;
    };
    const SystemConfig mi300x = load_system("mi300x", {});
    EXPECT_NEAR(8 * wire_gbps(mi300x, 0), 17200, 1) << "XCDs to IO dies";
    EXPECT_NEAR(wire_gbps(mi300x, 1) + wire_gbps(mi300x, 3), 2700, 1) << "into an IO die, from its two neighbours";
    EXPECT_NEAR(wire_gbps(load_system("mi355x", {}), 1), 2750, 1) << "IO die to IO die";
    EXPECT_EQ(load_system("b200", {}).link.lane_bytes_per_s(), 5'000'000'000'000U) << "NV-HBI, each way";
}

/// The rack: each GPU has one link to each of 18 switches, which have 72 ports; every pair is 18 ways of two hops.
TEST(TodayLinks, OfTheRackAreAsItIsWired) {
    const SystemConfig rack = load_system("gb200-nvl72", {});
    const WiredParts parts(rack);
    EXPECT_EQ(parts.count(), 72U + 18U);
    const SystemNetwork network = system_network(rack, Place("rack"));
    const NetworkGraph& graph = network.topology.graph;
    std::vector<unsigned> ports(parts.count(), 0);
    for (const NetworkChannel& channel : graph.channels) ++ports[channel.from];
    for (unsigned part = 0; part < parts.count(); ++part) EXPECT_EQ(ports[part], part < 72 ? 18U : 72U) << part;
}

} // namespace
} // namespace numavp::test
