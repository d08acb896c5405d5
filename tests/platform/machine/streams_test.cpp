/// Kernels of several streams side by side: what one makes coherent another may read, and both get blocks.
#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

TimelineEvent event_of(const System& system, const char* what, const char* kernel) {
    for (const TimelineEvent& e : system.timeline())
        if (e.what == what && e.name == kernel) return e;
    ADD_FAILURE() << "no " << what << " of " << kernel;
    return {};
}

class FlushBesideAKernel : public ::testing::TestWithParam<L2Organisation> {};

/// Socket 0 has written a word of a line of socket 1 and flushes over a slow switch. Socket 1 has flushed at once,
/// but a kernel of another stream fetches the line there, before the new bytes are home. Who reads the word on
/// socket 1 after the flush must get them.
TEST_P(FlushBesideAKernel, LaterReadersGetTheNewBytes) {
    SystemConfig config = small_system(2);
    config.socket.l2.organisation = GetParam();
    config.switch_.latency_cycles = 2000;
    config.dispatch.launch_cycles = 0;
    config.socket.sms = 1;
    Words words;
    SystemOptions options;
    options.hooks = &words;
    WarpCode keep = after(3000, one_lane(load(kOldWord, 2), 0)); // runs on until the reader has read
    const WarpCode rest = idle(12000);
    keep.insert(keep.end(), rest.begin(), rest.end());
    const Workload workload = hand_workload(
        {hand_launch("place", 2, 1, on(1, {one_lane(store(kOldWord), kZero), one_lane(store(kNewWord), kZero)})),
         hand_launch("keeper", 2, 1, on(1, keep)),
         hand_launch("writer", 2, 1, on(0, after(3000, one_lane(store(kNewWord), kWrite))), 1),
         hand_launch("reader", 2, 1, on(1, {one_lane(load(kNewWord, 2), kRead)}), 1)});
    System system(config, workload, options);
    system.run();
    EXPECT_EQ(words.seen, 0xab);
    // The line was fetched within the flush and its reader ran beside the keeper, or this test shows nothing.
    const Cycle fetched = event_of(system, "kernel", "keeper").cycle + 3000;
    EXPECT_GT(fetched, event_of(system, "flush", "writer").cycle);
    EXPECT_LT(fetched + 1000, event_of(system, "flush", "writer").end);
    EXPECT_LT(event_of(system, "kernel", "reader").end, event_of(system, "kernel", "keeper").end);
}
INSTANTIATE_TEST_SUITE_P(All, FlushBesideAKernel,
                         ::testing::Values(L2Organisation::static_split, L2Organisation::coherent,
                                           L2Organisation::numa_aware),
                         [](const auto& param) { return std::string(kL2Organisations.name(param.param)); });

/// A kernel that has written nothing waits for the writes under way, however long another one beside it goes on
/// writing.
TEST(FlushBesideAWriter, WaitsForNoLaterWrites) {
    SystemConfig config = small_system(1);
    config.socket.l2.organisation = L2Organisation::static_split;
    config.socket.l2.write_policy = WritePolicy::write_back;
    config.dispatch.launch_cycles = 1;
    const auto writes = [](std::uint64_t block, unsigned) {
        WarpCode code;
        for (unsigned i = 0; i < 400; ++i) code.push_back(store(kHandBase + (block * 400 + i) * kLineBytes));
        return code;
    };
    const Workload workload =
        hand_workload({hand_launch("writer", 8, 1, writes), hand_launch("idler", 1, 1, on(0, idle(3000)), 1)});
    System system(config, workload);
    system.run();
    const TimelineEvent flush = event_of(system, "flush", "idler");
    const Cycle writes_until = event_of(system, "kernel", "writer").end;
    EXPECT_GT(writes_until, flush.end + 2000) << flush.end - flush.cycle << " cycles of flush";
}

/// Blocks of unequal work on two sockets with one SM each, one block at a time: the first half of the blocks takes
/// `kLong` cycles each, the second `kShort`.
class UnequalWork : public ::testing::Test {
  protected:
    static constexpr unsigned kBlocks = 8, kLong = 4000, kShort = 900;
    struct Outcome {
        Cycle cycles;
        std::vector<unsigned> runs; ///< of each block
        std::uint64_t stolen;
    };
    static Outcome run(BlockSplit split, unsigned sockets = 2, unsigned message_cycles = 0) {
        SystemConfig config = small_system(sockets);
        config.dispatch.message_cycles = message_cycles;
        config.dispatch.launch_cycles = 0;
        config.dispatch.split = split;
        config.socket.sms = 2 / sockets;
        KernelShape shape;
        shape.name = "unequal";
        shape.blocks = kBlocks;
        shape.threads = kWarpLanes;
        shape.shared_bytes = config.socket.sm.shared_kib * 1024;
        Outcome outcome{0, std::vector<unsigned>(kBlocks, 0), 0};
        Launch launch;
        launch.kernel = std::make_shared<HandKernel>(shape, [&outcome](std::uint64_t block, unsigned) {
            ++outcome.runs[block];
            return idle((block < kBlocks / 2 ? kLong : kShort) + 100); // nobody waits for the last step
        });
        System system(config, hand_workload({launch}));
        system.run();
        const TimelineEvent kernel = event_of(system, "kernel", "unequal");
        outcome.cycles = kernel.end - kernel.cycle;
        const nlohmann::ordered_json statistics = system.stats().values().at("system");
        outcome.stolen = statistics.value("blocks_stolen", std::uint64_t{0});
        return outcome;
    }
};
class UnequalBlocks : public UnequalWork, public ::testing::WithParamInterface<BlockSplit> {};

/// Static chunks: the first socket runs four long blocks. Stealing: when the second has run its four short ones, just
/// before the first long one ends, it takes one of three that are left, and behind that another. Fine-grained and
/// modulo: each gets two long and two short ones.
TEST_P(UnequalBlocks, EndWhenTheSplitSays) {
    const Outcome outcome = run(GetParam());
    Cycle expected = 2 * kLong + 2 * kShort;
    if (GetParam() == BlockSplit::contiguous || GetParam() == BlockSplit::contiguous_sms) expected = 4 * kLong;
    if (GetParam() == BlockSplit::stealing) expected = 4 * kShort + 2 * kLong;
    EXPECT_GE(outcome.cycles, expected);
    EXPECT_LT(outcome.cycles, expected + 50 * kBlocks) << "starts and ends of blocks";
    for (unsigned b = 0; b < kBlocks; ++b) EXPECT_EQ(outcome.runs[b], 1U) << "block " << b;
    EXPECT_EQ(outcome.stolen, GetParam() == BlockSplit::stealing ? 2U : 0U);
}
INSTANTIATE_TEST_SUITE_P(All, UnequalBlocks,
                         ::testing::Values(BlockSplit::contiguous, BlockSplit::contiguous_sms, BlockSplit::stealing,
                                           BlockSplit::fine_grained, BlockSplit::modulo),
                         [](const auto& param) { return std::string(kBlockSplits.name(param.param)); });

/// A socket asks for a block when its SM is free, and waits two ways for it.
class AskedBlocks : public UnequalWork, public ::testing::WithParamInterface<BlockSplit> {};
TEST_P(AskedBlocks, ComeTwoWaysLater) {
    constexpr unsigned kMessage = 90, kEnd = 5 * kMessage; // behind the last block
    const bool steals = GetParam() == BlockSplit::stealing;
    const Outcome outcome = run(GetParam(), 2, kMessage);
    const Cycle expected = 2 * kLong + (steals ? 4 : 2) * kShort + (steals ? 2 : 4) * 2 * kMessage;
    EXPECT_EQ(outcome.stolen, steals ? 2U : 0U);
    EXPECT_GE(outcome.cycles, expected);
    EXPECT_LT(outcome.cycles, expected + kEnd + 50 * kBlocks);
    for (unsigned b = 0; b < kBlocks; ++b) EXPECT_EQ(outcome.runs[b], 1U) << "block " << b;
}
INSTANTIATE_TEST_SUITE_P(All, AskedBlocks, ::testing::Values(BlockSplit::stealing, BlockSplit::fine_grained),
                         [](const auto& param) { return std::string(kBlockSplits.name(param.param)); });

/// The same on two SMs of one socket: with a range an SM the first runs all long blocks, else they go to whoever is
/// free.
class UnequalSms : public UnequalWork, public ::testing::WithParamInterface<std::pair<BlockSplit, Cycle>> {};
TEST_P(UnequalSms, OfOneSocketHaveTheirOwnRanges) {
    const auto& [split, expected] = GetParam();
    const Outcome outcome = run(split, 1);
    EXPECT_GE(outcome.cycles, expected);
    EXPECT_LT(outcome.cycles, expected + 50 * kBlocks);
    for (unsigned b = 0; b < kBlocks; ++b) EXPECT_EQ(outcome.runs[b], 1U) << "block " << b;
}
INSTANTIATE_TEST_SUITE_P(All, UnequalSms,
                         ::testing::Values(std::pair{BlockSplit::contiguous_sms, Cycle{16000}},
                                           std::pair{BlockSplit::contiguous, Cycle{9800}},
                                           std::pair{BlockSplit::persistent, Cycle{9800}}),
                         [](const auto& param) { return std::string(kBlockSplits.name(param.param.first)); });

/// Two sockets of two SMs, a block at a time. With a stride of the grid SM 0 of socket 1 has blocks 1 and 5 of 8: alone
/// long, it decides the end; with ranges a socket's SMs share its long blocks.
TEST(PersistentBlocks, AreNumberedOverTheSocketsInTurn) {
    SystemConfig config = small_system(2);
    config.dispatch.launch_cycles = 0;
    KernelShape shape;
    shape.name = "tiles";
    shape.blocks = 8;
    shape.threads = kWarpLanes;
    shape.shared_bytes = config.socket.sm.shared_kib * 1024;
    const auto cycles = [&](BlockSplit split, BlockOrderPolicy order) {
        config.dispatch.split = split;
        config.dispatch.order.policy = order;
        shape.digits = {{'q', 4}, {'v', 2}, {'g', 1}, {'b', 1}};
        return run_apart([&] {
                   Launch launch;
                   launch.kernel = std::make_shared<HandKernel>(
                       shape, [](std::uint64_t block, unsigned) { return idle(block % 4 == 1 ? 3100 : 200); });
                   System system(config, hand_workload({launch}));
                   system.run();
                   return nlohmann::json(kernel_cycles(system, "tiles"));
               })
            .get<Cycle>();
    };
    constexpr Cycle kSome = 500;
    EXPECT_GE(cycles(BlockSplit::persistent, BlockOrderPolicy::by_number), 6000U)
        << "nobody waits for a last step of 100";
    EXPECT_LT(cycles(BlockSplit::contiguous, BlockOrderPolicy::by_number), 3000 + kSome);
    // KV heads fastest: blocks 1 and 5 are at places 2 and 3, on different sockets.
    EXPECT_LT(cycles(BlockSplit::persistent, BlockOrderPolicy::bt_hkv_minor), 3000 + kSome);
}

/// A kernel that finds no room must not keep one that does from its blocks.
TEST(KernelsSideBySide, AKernelThatDoesNotFitHoldsUpNobody) {
    SystemConfig config = small_system(1);
    config.dispatch.launch_cycles = 0;
    const auto launch = [](const char* name, unsigned blocks, unsigned shared_bytes, unsigned cycles,
                           std::uint64_t stream) {
        KernelShape shape;
        shape.name = name;
        shape.blocks = blocks;
        shape.threads = kWarpLanes;
        shape.shared_bytes = shared_bytes;
        Launch l;
        l.kernel = std::make_shared<HandKernel>(shape, [cycles](std::uint64_t, unsigned) { return idle(cycles); });
        l.stream = stream;
        return l;
    };
    // One large block fills the shared memory of an SM, of small ones 32 run at a time: 200 take 4 times 1,000 cycles.
    const Workload workload =
        hand_workload({launch("large", 20, 48 * 1024, 10000, 0), launch("small", 200, 0, 1000, 1)});
    System system(config, workload);
    system.run();
    const TimelineEvent small = event_of(system, "kernel", "small");
    EXPECT_LT(small.end - small.cycle, 5000U);
    const TimelineEvent large = event_of(system, "kernel", "large");
    EXPECT_LT(large.end - large.cycle, 10U * 10000 + 2000);
}

} // namespace
} // namespace numavp::test
