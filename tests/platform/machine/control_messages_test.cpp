/// Messages between the dispatcher and the sockets: what they cost, in closed form, and that nothing is lost by them.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

SystemConfig with_messages(unsigned cycles, BlockSplit split, unsigned sockets = 2) {
    SystemConfig config = small_system(sockets);
    config.dispatch.split = split;
    config.dispatch.message_cycles = cycles;
    return config;
}

/// The group `system` of the statistics of kernels in one stream, of which each socket runs a block an SM.
json system_of(const SystemConfig& config, unsigned kernels) {
    return run_apart([&]() -> json {
        const unsigned blocks = config.sockets * config.socket.sms;
        std::vector<Launch> launches;
        for (unsigned k = 0; k < kernels; ++k)
            launches.push_back(hand_launch("k", blocks, 1, [](std::uint64_t block, unsigned) {
                return after(500, store(kHandBase + block * kLineBytes));
            }));
        System system(config, hand_workload(launches));
        system.run();
        return system.stats().values().at("system");
    });
}

/// A launch, the report of its end, flush and answer, invalidation and answer.
constexpr unsigned kWays = 6;

TEST(ControlMessages, OfAKernelTakeSixWays) {
    for (const unsigned sockets : {1U, 4U}) {
        const auto cycles = [&](unsigned message) {
            return system_of(with_messages(message, BlockSplit::contiguous, sockets), 3).at("cycles").get<Cycle>();
        };
        const Cycle none = cycles(0);
        for (const unsigned message : {1U, 17U, 700U}) EXPECT_EQ(cycles(message), none + 3 * kWays * message);
    }
}

/// Quiet for longer than `checks.stuck_cycles`, since nothing but messages is under way.
TEST(ControlMessages, MayTakeLongerThanPatience) {
    SystemConfig config = with_messages(300'000, BlockSplit::contiguous);
    ASSERT_LT(config.checks.stuck_cycles, config.dispatch.message_cycles);
    EXPECT_EQ(system_of(config, 1).at("kernels"), 1);
}

/// Of blocks in one queue for all sockets each is asked for, and all SMs ask at once.
TEST(ControlMessages, BringTheBlocksOfASharedQueue) {
    constexpr unsigned kMessage = 300;
    const json none = system_of(with_messages(0, BlockSplit::fine_grained), 1);
    const json some = system_of(with_messages(kMessage, BlockSplit::fine_grained), 1);
    EXPECT_EQ(some.at("cycles").get<Cycle>(), none.at("cycles").get<Cycle>() + (kWays + 2) * kMessage);
    EXPECT_EQ(some.at("blocks"), none.at("blocks"));
}

/// Requests for four blocks, and one of each SM that is free behind them, which gets none.
TEST(ControlMessages, AreCounted) {
    constexpr unsigned kSockets = 2, kSms = 2, kKernels = 3;
    const auto messages = [](BlockSplit split) {
        return system_of(with_messages(20, split, kSockets), kKernels).at("control_messages").get<unsigned>();
    };
    EXPECT_EQ(messages(BlockSplit::contiguous), kKernels * kSockets * kWays);
    EXPECT_GE(messages(BlockSplit::fine_grained), kKernels * kSockets * (kWays + 2 * kSms));
    EXPECT_LE(messages(BlockSplit::fine_grained), kKernels * kSockets * (kWays + 4 * kSms));
    EXPECT_FALSE(system_of(with_messages(0, BlockSplit::contiguous), 1).contains("control_messages"));
}

/// A split, and the cycles of a message.
class ControlMessageValues : public ::testing::TestWithParam<std::pair<BlockSplit, unsigned>> {};

/// Short kernels of several streams on few lines, so that flushes, invalidations and launches of different streams
/// meet on their ways; in any order of deliveries.
TEST_P(ControlMessageValues, AreThoseOfAFlatMemory) {
    const auto run = [](std::uint64_t seed, std::optional<std::uint64_t> shuffle) {
        return run_apart([=]() -> json {
            RandomProgramShape shape;
            shape.streams = 3;
            shape.kernels = 18;
            shape.blocks = 9;
            shape.lines = 16;
            RandomProgram program(seed, shape);
            SystemOptions options;
            options.hooks = &program;
            options.shuffle_seed = shuffle;
            SystemConfig config = with_messages(GetParam().second, GetParam().first, 3);
            config.socket.l2.organisation = L2Organisation::numa_aware;
            System system(config, program.workload(), options);
            system.run();
            if (const std::string wrong = program.wrong_in(system); !wrong.empty()) return wrong;
            return system.stats().values();
        });
    };
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const json values = run(seed, std::nullopt);
        ASSERT_TRUE(values.is_object()) << "seed " << seed << ": " << values;
        EXPECT_EQ(values.at("system").at("kernels"), 18);
        EXPECT_EQ(values, run(seed, seed)) << "seed " << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(Splits, ControlMessageValues,
                         ::testing::Values(std::pair{BlockSplit::contiguous, 40U}, std::pair{BlockSplit::modulo, 3U},
                                           std::pair{BlockSplit::contiguous_sms, 1U},
                                           std::pair{BlockSplit::fine_grained, 25U},
                                           std::pair{BlockSplit::stealing, 60U}),
                         [](const auto& param) { return std::string(kBlockSplits.name(param.param.first)); });

} // namespace
} // namespace numavp::test
