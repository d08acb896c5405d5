/// Systems on timed DRAM: the same values as on a flat memory, legal commands' times, equal runs equal.
#include <string>

#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/models/memory/checked_replay.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"

namespace numavp::test {
namespace {

SystemConfig timed_system(unsigned sockets, const MemoryDeviceConfig& device) {
    SystemConfig c = small_system(sockets);
    c.socket.memory.model = MemoryModel::timed;
    c.socket.memory.device = device;
    return c;
}

void compare_with_flat_memory(const SystemConfig& config, std::uint64_t seed) {
    RandomProgramShape shape;
    shape.kernels = 4;
    shape.blocks = 8;
    shape.accesses = 20;
    shape.lines = 256;
    RandomProgram program(seed, shape);
    SystemOptions options;
    options.hooks = &program;
    System system(config, program.workload(), options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
    EXPECT_GT(program.compared_bytes(), 1000U);
}

TEST(TimedSystem, HasTheValuesOfAFlatMemoryOnHbm) {
    compare_with_flat_memory(timed_system(2, device_named("hbm-nuba")), 1);
}

TEST(TimedSystem, HasTheValuesOfAFlatMemoryWithRefresh) {
    compare_with_flat_memory(timed_system(3, device_named("ddr4-2400")), 2);
}

TEST(TimedSystem, HasTheValuesOfAFlatMemoryOnSmallAccesses) {
    MemoryDeviceConfig device = device_named("hmc-vault");
    device.address = "bank:4 column:3 row:20";
    device.queue_depth = 4; // a line
    device.scheduler = MemorySchedulerKind::fcfs;
    device.row_policy = RowPolicyKind::closed;
    SystemConfig config = timed_system(2, device);
    config.socket.l2.slices = 4; // two ports a channel
    set_all_depths(config, 1);
    compare_with_flat_memory(config, 3);
}

TEST(TimedSystem, HasTheValuesOfAFlatMemoryOnSectorsAndLinesByTwos) {
    SystemConfig config = timed_system(2, device_named("hbm2-qv100"));
    config.sector_bytes = kSectorBytes;
    config.socket.l2.slices = 4; // two ports a channel
    config.socket.l2.interleave_lines = 2;
    compare_with_flat_memory(config, 4);
}

TEST(TimedSystem, HasTheValuesOfAFlatMemoryOnPairsOfSlicesAndBanksThatRefreshByThemselves) {
    SystemConfig config = timed_system(2, device_named("hbm3e-h200"));
    config.sector_bytes = kSectorBytes;
    config.socket.l2.slices = 6; // a slice's channel is not its neighbour's
    config.socket.memory.channels = 3;
    config.socket.l2.size_kib = 6 * 128;
    config.socket.l2.interleave_lines = 2;
    config.socket.l2.pair_lines = 8;
    compare_with_flat_memory(config, 5);
}

/// 64 lines side by side are 256 accesses of 32 bytes to rows of 256 bytes, each opened once.
TEST(TimedSystem, CountsRowsAndAccessesToThem) {
    SystemConfig config = timed_system(1, device_named("hmc-vault"));
    config.socket.memory.channels = 1;
    const CodeOf reads = [](std::uint64_t, unsigned) {
        WarpCode code;
        for (std::uint64_t line = 0; line < 64; ++line) code.push_back(load(kHandBase + line * kLineBytes, 2));
        return code;
    };
    const Workload workload = hand_workload({hand_launch("reads", 1, 1, reads)});
    System system(config, workload);
    system.run();
    const auto channel = system.stats().values().at("socket0").at("memory").at("channel0");
    EXPECT_EQ(channel.at("read_bytes"), 64 * kLineBytes);
    EXPECT_EQ(channel.at("columns"), 256);
    EXPECT_EQ(channel.at("activates"), 32);
}

} // namespace
} // namespace numavp::test
