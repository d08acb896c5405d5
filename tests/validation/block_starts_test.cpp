/// When blocks start: rates and arguments, in closed forms.
#include <vector>

#include <gtest/gtest.h>

#include "tests/validation/one_sm.h"

namespace numavp::test {
namespace {

TEST(Dispatch, AnSmStartsAtMostOneBlockACycleIfItIsSet) {
    SystemConfig c = one_sm();
    c.socket.sms = 2;
    c.dispatch.blocks_per_cycle = 8;
    const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
    const auto at_once = run_block(c, 1, nothing, 8)["cycles"].get<std::uint64_t>();
    c.dispatch.one_block_an_sm = true;
    EXPECT_EQ(run_block(c, 1, nothing, 2)["cycles"], at_once);
    EXPECT_EQ(run_block(c, 1, nothing, 8)["cycles"], at_once + 3);
}

/// 4 sockets of 2 SMs, and 2 blocks for each SM: a start a cycle of the machine, of each socket, of each SM.
TEST(Dispatch, TheRateIsThatOfASocketAnSmOrTheMachine) {
    SystemConfig c = one_sm();
    c.sockets = 4;
    c.socket.sms = 2;
    const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
    const auto cycles = [&](StartRate starts, unsigned rate) {
        c.dispatch.starts = starts;
        c.dispatch.blocks_per_cycle = rate;
        return run_block(c, 1, nothing, 16)["cycles"].get<std::uint64_t>();
    };
    const std::uint64_t at_once = cycles(StartRate::machine, 16);
    EXPECT_EQ(cycles(StartRate::machine, 1), at_once + 15);
    EXPECT_EQ(cycles(StartRate::machine, 5), at_once + 3);
    EXPECT_EQ(cycles(StartRate::socket, 4), at_once);
    EXPECT_EQ(cycles(StartRate::socket, 1), at_once + 3);
    EXPECT_EQ(cycles(StartRate::sm, 2), at_once);
    EXPECT_EQ(cycles(StartRate::sm, 1), at_once + 1);
    for (const BlockSplit split : {BlockSplit::fine_grained, BlockSplit::contiguous_sms}) {
        c.dispatch.split = split;
        EXPECT_EQ(cycles(StartRate::machine, 1), at_once + 15);
        EXPECT_EQ(cycles(StartRate::sm, 1), at_once + 1);
    }
}

TEST(Dispatch, BlocksStartAtTheMeanIntervalThatIsSet) {
    SystemConfig c = one_sm();
    c.socket.sms = 8;
    const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
    const auto cycles = [&](double interval, unsigned blocks) {
        c.dispatch.block_interval_cycles = interval;
        return run_block(c, 1, nothing, blocks)["cycles"].get<std::uint64_t>();
    };
    EXPECT_EQ(cycles(0.5, 801), cycles(0, 801)) << "one a cycle is the limit";
    EXPECT_EQ(cycles(1.25, 801), cycles(1.25, 1) + 1000);
    EXPECT_EQ(cycles(7, 101), cycles(7, 1) + 700);
    c.checks.stuck_cycles = 100'000;
    EXPECT_EQ(cycles(300'000, 3), cycles(300'000, 1) + 600'000) << "which is not called stuck";
    c.dispatch.blocks_per_cycle = 8;
    EXPECT_EQ(cycles(0.25, 801), cycles(0.25, 1) + 200);
}

/// A block of a sample does a part of its work, and costs that part of a start.
TEST(Dispatch, BlocksOfASampleStartAsMuchFaster) {
    SystemConfig c = one_sm();
    c.socket.sm.warps = 64;
    const auto cycles = [&](double share) {
        return run_apart([&] {
                   Launch launch = hand_launch("code", 32, 1, [](std::uint64_t, unsigned) { return WarpCode{}; });
                   KernelShape shape = launch.kernel->shape();
                   shape.share = share;
                   const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
                   launch.kernel = std::make_shared<HandKernel>(shape, nothing);
                   System system(c, hand_workload({launch}));
                   system.run();
                   return json(kernel_cycles(system, "code"));
               })
            .get<std::uint64_t>();
    };
    const std::uint64_t whole = cycles(1.0);
    EXPECT_EQ(cycles(0.5), whole - 16);
    EXPECT_EQ(cycles(0.25), whole - 24);
    EXPECT_EQ(cycles(1e-12), cycles(0.125)) << "all that the SM can take at once";
}

/// A launch's sizes and arguments are read once by each SM, before the first instruction.
TEST(Dispatch, ALaunchsBlocksOnAnSmWaitForItsArgumentsOnce) {
    SystemConfig c = one_sm();
    c.dispatch.blocks_per_cycle = 1;
    const auto some = [](std::uint64_t, unsigned) { return WarpCode(3); };
    const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
    struct Case {
        unsigned slots, blocks, launches;
        bool streams; // each launch has its own
    };
    const auto cycles = [&](unsigned wait, const CodeOf& code, const Case& of) {
        c.socket.sm.first_block_cycles = wait;
        c.socket.sm.block_slots = of.slots;
        return run_apart([&] {
                   std::vector<Launch> all;
                   for (unsigned n = 0; n < of.launches; ++n)
                       all.push_back(hand_launch("code", of.blocks, 2, code, of.streams ? n : 0));
                   System system(c, hand_workload(all));
                   system.run();
                   return json(system.cycles());
               })
            .get<std::uint64_t>();
    };
    const auto added = [&](const Case& of) { return cycles(150, some, of) - cycles(0, some, of); };
    EXPECT_EQ(added({1, 1, 1, false}), 150U);
    EXPECT_EQ(added({1, 3, 1, false}), 150U) << "the next block finds them";
    EXPECT_EQ(added({1, 3, 2, false}), 300U) << "the next launch has its own";
    EXPECT_NEAR(static_cast<double>(added({2, 2, 1, false})), 150, 2) << "a block does not overtake the first one";
    EXPECT_NEAR(static_cast<double>(added({4, 2, 2, true})), 150, 4) << "two launches side by side ask once each";
    EXPECT_EQ(cycles(150, nothing, {1, 1, 1, false}), cycles(0, nothing, {1, 1, 1, false})) << "an exit needs none";
}

/// What a socket starts a cycle is shared by the kernels of all streams.
TEST(Dispatch, KernelsOfSeveralStreamsShareTheStarts) {
    SystemConfig c = one_sm();
    c.socket.sm.warps = 64;
    c.socket.sm.block_slots = 64;
    const auto cycles = [&](std::vector<unsigned> blocks) {
        return run_apart([&] {
                   std::vector<Launch> launches;
                   for (const unsigned n : blocks) {
                       launches.push_back(
                           hand_launch("code", n, 1, [](std::uint64_t, unsigned) { return WarpCode{}; }));
                       launches.back().stream = launches.size();
                   }
                   System system(c, hand_workload(launches));
                   system.run();
                   return json(system.cycles());
               })
            .get<std::uint64_t>();
    };
    const std::uint64_t alone = cycles({20});
    EXPECT_EQ(cycles({40}), alone + 20);
    EXPECT_EQ(cycles({20, 20}), alone + 20);
}

} // namespace
} // namespace numavp::test
