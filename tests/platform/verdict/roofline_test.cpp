/// Rooflines of hand-made results: ceilings of the machine's settings, and points below them.
#include <gtest/gtest.h>

#include "platform/verdict/roofline.h"
#include "tests/platform/verdict/made_run.h"

namespace numavp::test {
namespace {

MadeRun made_with_instructions(std::uint64_t of_a_socket) {
    MadeRun made;
    for (const unsigned s : {0U, 1U}) made.counter(s, "sm.warp_instructions", of_a_socket);
    return made;
}

/// 2 sockets of 8 schedulers and 4 slices of 64 B a cycle at 1 GHz, 100 GB/s of memory and 8 GB/s of link each way.
TEST(Roofline, CeilingsFollowFromTheSettings) {
    const MadeRun made = made_with_instructions(0);
    const Roofline roofline = roofline_of(made.config, made.results);
    EXPECT_DOUBLE_EQ(roofline.instructions_per_s, 2 * 8 * 1e9);
    ASSERT_EQ(roofline.levels.size(), 3U);
    EXPECT_EQ(roofline.levels[0].level, RoofLevel::l2);
    EXPECT_DOUBLE_EQ(roofline.levels[0].bytes_per_s, 2 * 4 * 64 * 1e9);
    EXPECT_DOUBLE_EQ(roofline.levels[1].bytes_per_s, 200e9);
    EXPECT_DOUBLE_EQ(roofline.levels[2].bytes_per_s, 16e9);
    EXPECT_TRUE(roofline.tensor.empty());
}

/// Parts that run at a clock of their own have ceilings of that clock; lanes of both directions count half each.
TEST(Roofline, CeilingsOfOwnClocksAndUnequalLanes) {
    MadeRun made = made_with_instructions(0);
    made.config.socket.clocks_khz.sm = 2000000;
    made.config.socket.clocks_khz.l2 = 500000;
    made.config.link.lanes_out = 10;
    made.config.link.lanes_in = 6;
    const Roofline roofline = roofline_of(made.config, made.results);
    EXPECT_DOUBLE_EQ(roofline.instructions_per_s, 2 * 8 * 2e9);
    EXPECT_DOUBLE_EQ(roofline.levels[0].bytes_per_s, 2 * 4 * 64 * 0.5e9);
    EXPECT_DOUBLE_EQ(roofline.levels[2].bytes_per_s, 16e9);
}

/// A100: 1,024 multiply-adds of FP16 a cycle and SM, twice as many of INT8, half of TF32, a sixteenth of FP64.
TEST(Roofline, TensorCeilingsByKindOfElements) {
    MadeRun made = made_with_instructions(10);
    made.config.socket.sm.tensor.cores = TensorCores::ampere;
    for (const unsigned s : {0U, 1U}) made.counter(s, "sm.matrix_operations", 4096 * MadeRun::kCycles);
    const ordered_json out = json_of(roofline_of(made.config, made.results));
    const ordered_json& tensor = out.at("ceilings").at("tensor");
    ASSERT_EQ(tensor.size(), 4U);
    EXPECT_EQ(tensor[0].at("data"), "int8");
    EXPECT_EQ(tensor[1].at("data"), "half");
    EXPECT_DOUBLE_EQ(tensor[1].at("ops_per_s").get<double>(), 4 * 2048 * 1e9);
    const ordered_json& kernel = out.at("kernels").at(0);
    EXPECT_DOUBLE_EQ(kernel.at("tensor_ops_per_s").get<double>(), 4 * 2048 * 1e9); // as fast as they can
    EXPECT_DOUBLE_EQ(kernel.at("levels").at(1).at("tensor_ops_per_byte").get<double>(), 4096.0 / 20.0);
}

/// Operations of FP16 a second of one socket with so many SMs of 4 schedulers at a clock.
double half_ops_per_s(TensorCores cores, unsigned sms, std::uint64_t sm_khz) {
    MadeRun made = made_with_instructions(0);
    made.config.sockets = 1;
    made.config.socket.sms = sms;
    made.config.socket.clocks_khz.sm = sm_khz;
    made.config.socket.sm.tensor.cores = cores;
    for (const TensorCeiling& ceiling : roofline_of(made.config, made.results).tensor)
        if (ceiling.data == "half") return ceiling.ops_per_s;
    return 0.0;
}

/// wgmma: 2,048 multiply-adds of FP16 a cycle over the four tensor cores of an SM; tcgen05: 4,096, of which one
/// instruction takes all four.
TEST(Roofline, TensorCeilingsOfAsynchronousInstructions) {
    EXPECT_NEAR(half_ops_per_s(TensorCores::hopper, 132, 1755000), 132 * 1.755e9 * 2048 * 2, 1e3);
    EXPECT_NEAR(half_ops_per_s(TensorCores::blackwell, 148, 1900000), 148 * 1.9e9 * 4096 * 2, 1e3); // 2,303.6 Tops/s
}

TEST(Roofline, PointsOfAKernel) {
    const MadeRun made = made_with_instructions(MadeRun::kSlots / 4);
    const ordered_json out = json_of(roofline_of(made.config, made.results));
    const ordered_json& kernel = out.at("kernels").at(0);
    EXPECT_EQ(kernel.at("name"), "k");
    EXPECT_DOUBLE_EQ(kernel.at("share").get<double>(), 0.25);
    EXPECT_DOUBLE_EQ(kernel.at("instructions_per_s").get<double>(), 4e9);
    const ordered_json& memory = kernel.at("levels").at(1);
    EXPECT_EQ(memory.at("level"), "memory");
    EXPECT_DOUBLE_EQ(memory.at("bytes_per_s").get<double>(), 40e9);
    EXPECT_DOUBLE_EQ(memory.at("share").get<double>(), 0.2);
    EXPECT_DOUBLE_EQ(memory.at("instructions_per_byte").get<double>(), 0.1);
    EXPECT_DOUBLE_EQ(kernel.at("levels").at(2).at("share").get<double>(), 0.2);
    EXPECT_TRUE(kernel.at("tensor_ops").is_null());
}

/// The whole run has the time outside kernels too.
TEST(Roofline, TheRunHasAllOfTheTime) {
    MadeRun made = made_with_instructions(MadeRun::kSlots / 4);
    made.outside(3000, 2000);
    const ordered_json out = json_of(roofline_of(made.config, made.results));
    EXPECT_DOUBLE_EQ(out.at("kernels").at(0).at("share").get<double>(), 0.5);
    EXPECT_DOUBLE_EQ(out.at("run").at("share").get<double>(), 0.25);
    EXPECT_EQ(out.at("run").at("cycles"), MadeRun::kCycles);
}

/// The slices' answers to their own SMs and to other sockets leave through different ports: the busier counts.
TEST(Roofline, L2CountsTheBusierSideOfEachSocket) {
    MadeRun made = made_with_instructions(100);
    made.counter(0, "l2.local.hits", 1000);
    made.counter(0, "l2.remote.misses", 500);
    made.counter(0, "l2.incoming.hits", 700);
    made.counter(1, "l2.incoming.merged", 2000);
    const ordered_json out = json_of(roofline_of(made.config, made.results));
    const double line = 8 + 128; // with header
    EXPECT_DOUBLE_EQ(out.at("kernels").at(0).at("levels").at(0).at("bytes").get<double>(), (1500 + 2000) * line);
}

TEST(Roofline, ASingleSocketHasNoLinksAndUncountedBytesAreNull) {
    MadeRun made = made_with_instructions(100);
    made.config.sockets = 1;
    made.results["kernels"]["counters"].erase("socket0.l2.local.hits");
    made.results["kernels"]["counters"].erase("socket0.memory.channel0.write_bytes");
    const ordered_json out = json_of(roofline_of(made.config, made.results));
    ASSERT_EQ(out.at("ceilings").at("levels").size(), 2U);
    EXPECT_TRUE(out.at("kernels").at(0).at("levels").at(0).at("bytes").is_null());
    EXPECT_TRUE(out.at("kernels").at(0).at("levels").at(0).at("instructions_per_byte").is_null());
    EXPECT_TRUE(out.at("kernels").at(0).at("levels").at(1).at("bytes").is_null());
    made.results.erase("kernels");
    EXPECT_TRUE(json_of(roofline_of(made.config, made.results)).is_null());
}

} // namespace
} // namespace numavp::test
