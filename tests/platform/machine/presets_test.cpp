/// The presets of docs/use/PRESETS.md: what their settings amount to is what the makers' papers say, and they run.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"

namespace numavp::test {
namespace {

/// What the makers say, in their own sums; 0 where they say nothing.
struct Cited {
    const char* preset;
    unsigned sms;          ///< or CUs, of the machine
    double memory_tbps;    ///< of all stacks
    unsigned capacity_gib; ///< GB of the data sheets
    double l2_mib;
    double l2_bytes_per_cycle; ///< of the machine
    double fp32_tflops;        ///< with a fused multiply-add a lane and cycle
    unsigned fp32_lanes;       ///< of an SM
};

class Presets : public ::testing::TestWithParam<Cited> {
  protected:
    SystemConfig load() const { return load_system(GetParam().preset, {}); }
};

TEST_P(Presets, AmountToWhatIsCited) {
    const Cited& cited = GetParam();
    const SystemConfig c = load();
    EXPECT_EQ(c.sockets * c.socket.sms, cited.sms);
    EXPECT_NEAR(c.sockets * c.socket.memory.bandwidth_gbps / 1000.0, cited.memory_tbps, 0.005 * cited.memory_tbps);
    EXPECT_EQ(c.sockets * c.socket.memory.capacity_gib, cited.capacity_gib);
    EXPECT_EQ(c.sockets * c.socket.l2.size_kib / 1024.0, cited.l2_mib);
    if (cited.l2_bytes_per_cycle != 0.0) {
        EXPECT_NEAR(c.sockets * c.socket.l2.slices * c.socket.l2.bytes_per_cycle, cited.l2_bytes_per_cycle,
                    0.005 * cited.l2_bytes_per_cycle);
    }
    const double ghz = static_cast<double>(c.clock_khz) / 1e6;
    EXPECT_NEAR(cited.sms * cited.fp32_lanes * 2 * ghz / 1000.0, cited.fp32_tflops, 0.005 * cited.fp32_tflops);
    EXPECT_NE(c.description.find("UNCALIBRATED"), std::string::npos);
    EXPECT_NE(c.description.find("Not modelled"), std::string::npos);
}

/// The links of those that have some, each way.
TEST(PresetLinks, AmountToWhatIsCited) {
    const SystemConfig gh200 = load_system("gh200", {});
    EXPECT_EQ(gh200.host.link_gbps, 450.0);
    EXPECT_EQ(gh200.host.memory_gbps, 512.0);
    EXPECT_EQ(gh200.host.capacity_gib, 480U);
    const SystemConfig mi300x = load_system("mi300x", {});
    EXPECT_NEAR(mi300x.sockets * mi300x.link.lanes_in * mi300x.link.lane_gbps / 1000.0, 17.2, 0.01)
        << "XCDs to IO dies";
    const double channel = mi300x.network.flit_bytes * static_cast<double>(mi300x.network.noc_khz) / 1e6;
    EXPECT_NEAR(mi300x.network.parallel_channels * channel, 1200.0, 0.1) << "IO die to IO die";
    EXPECT_EQ(mi300x.sockets / mi300x.network.concentration, 4U) << "IO dies";
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
TEST_P(Presets, RunWithTheRightValues) { expect_right_values(load()); }
TEST(H200, RunsWithTheRightValues) { expect_right_values(load_system("h200", {})); }
TEST(H200, RunsWithTheRightValuesAsTwoHalves) { expect_right_values(load_system("h200-halves", {})); }

INSTANTIATE_TEST_SUITE_P(All, Presets,
                         ::testing::Values(Cited{"a100", 108, 1.555, 40, 40, 5120, 19.5, 64},
                                           Cited{"h100", 132, 3.35, 80, 50, 0, 67, 128},
                                           Cited{"gh200", 132, 4.0, 96, 60, 0, 67, 128},
                                           Cited{"mi300x", 304, 5.325, 192, 32, 8 * 2048, 163.4, 128}),
                         [](const auto& param) { return std::string(param.param.preset); });

} // namespace
} // namespace numavp::test
