/// Values of random programs where slices keep replicas, against a flat memory.
#include <gtest/gtest.h>

#include "rtl/blocks.h"
#include "tests/platform/nuba/small_nuba.h"
#include "tests/support/fast_build.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

RandomProgramShape readers(unsigned streams) {
    RandomProgramShape shape;
    shape.kernels = 6;
    shape.blocks = 8;
    shape.accesses = 12;
    shape.lines = 96;
    shape.streams = streams;
    shape.read_only_lines = 60;
    return shape;
}

class Replication : public ::testing::TestWithParam<ReplicationPolicy> {};

TEST_P(Replication, GivesTheValuesOfASequentialExecutionAtEveryDepth) {
    const std::uint64_t seeds = of_seeds(12);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const nlohmann::json wrong = run_apart([seed] {
            Rng rng(seed, 79);
            SystemConfig c = small_nuba(4, GetParam());
            c.replication.flush = static_cast<ReplicaFlush>(rng.below(2));
            c.replication.sampled_sets = 1 + static_cast<unsigned>(rng.below(16));
            if (seed % 2 == 0) c.replication.expects = ReplicationExpectation::busiest;
            c.placement.policy = static_cast<PlacementKind>(1 + rng.below(6)); // any but lines
            c.socket.l2.incoming_allocate = rng.below(2) == 0;
            c.socket.l2.write_policy = static_cast<WritePolicy>(rng.below(2));
            if (rng.below(2) == 0) c.network.topology = FabricKind::single_switch;
            if (c.network.topology == FabricKind::single_switch) c.network.dimensions.clear();
            if (rng.below(2) == 0) set_least_depths(c);
            if (rng.below(3) == 0) c.sector_bytes = kSectorBytes;
            const RandomProgramShape shape = readers(1 + static_cast<unsigned>(rng.below(2)));
            RandomProgram program(seed, shape);
            SystemOptions options;
            options.hooks = &program;
            System system(c, program.workload(), options);
            system.run();
            const nlohmann::json values = system.stats().values();
            std::uint64_t replicas = 0;
            for (unsigned s = 0; s < c.sockets; ++s)
                replicas += stat(values, "socket" + std::to_string(s) + ".l2.remote.hits");
            return nlohmann::json{{"wrong", program.wrong_in(system)}, {"replicas", replicas}};
        });
        EXPECT_EQ(wrong["wrong"], "") << "seed " << seed;
        if (GetParam() == ReplicationPolicy::none) {
            EXPECT_EQ(wrong["replicas"], 0) << "seed " << seed;
        }
        if (GetParam() == ReplicationPolicy::full) {
            EXPECT_GT(wrong["replicas"], 0) << "seed " << seed;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, Replication,
                         ::testing::Values(ReplicationPolicy::none, ReplicationPolicy::full, ReplicationPolicy::model),
                         [](const auto& row) { return std::string(kReplicationPolicies.name(row.param)); });

/// Partitions read the same lines of the second one's memory again and again, then a kernel writes them, then they
/// read. The first partition, whose requests the model sees, is a reader like others.
Workload shared_lines() {
    constexpr unsigned kLines = 24, kRounds = 400;
    const auto read = [](std::uint64_t, unsigned) {
        WarpCode code;
        for (unsigned r = 0; r < kRounds; ++r)
            for (unsigned i = 0; i < kLines; ++i) {
                code.push_back(load_past_l1(kHandBase + i * kLineBytes, 1, 1));
                code.back().read_only = true;
            }
        return code;
    };
    const auto write = [](std::uint64_t block, unsigned) {
        WarpCode code;
        for (unsigned i = 0; block == 1 && i < kLines; ++i) code.push_back(store(kHandBase + i * kLineBytes));
        return code;
    };
    return hand_workload({hand_launch("place", 4, 1, write), hand_launch("read", 4, 1, read),
                          hand_launch("write", 4, 1, write), hand_launch("read", 4, 1, read)});
}

nlohmann::json shared_run(ReplicationPolicy policy,
                          ReplicationExpectation expects = ReplicationExpectation::bandwidths) {
    return run_apart([&] {
        const Workload workload = shared_lines();
        SystemConfig c = small_nuba(4, policy);
        c.replication.expects = expects;
        // So that a line takes the network longer than a slice: else no estimate has a reason to replicate.
        c.network.flit_bytes = 16;
        System system(c, workload);
        system.run();
        return nlohmann::json(system.stats().values());
    });
}

TEST(ReplicationModel, ReplicatesWhatIsSharedAndSmall) {
    const nlohmann::json none = shared_run(ReplicationPolicy::none), full = shared_run(ReplicationPolicy::full),
                         model = shared_run(ReplicationPolicy::model),
                         busiest = shared_run(ReplicationPolicy::model, ReplicationExpectation::busiest);
    const auto cycles = [](const nlohmann::json& v) { return stat(v, "system.cycles"); };
    EXPECT_LT(cycles(full), cycles(none));
    EXPECT_LT(cycles(model), cycles(none));
    EXPECT_LT(cycles(busiest), cycles(none));
    EXPECT_GT(stat(model, "replication.replicating"), 0U);
    EXPECT_LE(stat(busiest, "replication.changes"), 3U)
        << "on for each kernel that reads: what replicas answer is not missed";
    EXPECT_EQ(stat(none, "socket2.l2.remote.hits"), 0U);
    EXPECT_GT(stat(model, "socket2.l2.remote.hits"), 0U);
}

/// Epochs follow each other without a gap: a decision's own cycles are of the next one.
TEST(ReplicationModel, DecidesAfterEachEpoch) {
    for (const unsigned epoch : {1000U, 2500U}) {
        const nlohmann::json values = run_apart([&] {
            const Workload workload = hand_workload({hand_launch("read", 4, 1, [](std::uint64_t, unsigned) {
                WarpCode code;
                for (unsigned i = 0; i < 2000; ++i) code.push_back(load_past_l1(kHandBase + i % 24 * kLineBytes, 1, 1));
                return code;
            })});
            SystemConfig c = small_nuba(4, ReplicationPolicy::model);
            c.replication.epoch_cycles = epoch;
            c.dispatch.launch_cycles = 0;
            System system(c, workload);
            system.run();
            nlohmann::json all = system.stats().values();
            all["read"] = kernel_cycles(system, "read");
            return all;
        });
        const double epochs = values["read"].get<double>() / epoch;
        EXPECT_GT(epochs, 40.0) << "or a drift does not show";
        EXPECT_NEAR(static_cast<double>(stat(values, "replication.epochs")), epochs, 1.0) << epoch;
    }
}

TEST(ReplicationModel, DecidesTheSameByItsRtlBlock) {
    if (!rtl::missing().empty()) GTEST_SKIP() << rtl::missing();
    EXPECT_EQ(shared_run(ReplicationPolicy::model), shared_run(ReplicationPolicy::model_rtl));
}

// A replica is clean, and gone when its kernel has ended.
TEST(Replicas, AreNeverWrittenBack) {
    const nlohmann::json values = shared_run(ReplicationPolicy::full);
    for (unsigned s = 0; s < 4; ++s) EXPECT_EQ(stat(values, "socket" + std::to_string(s) + ".l2.written_remote"), 0U);
    // Each reader but the home fetches each line once in each of the two kernels that read.
    EXPECT_EQ(stat(values, "socket2.l2.remote.misses"), 2U * 24);
}

} // namespace
} // namespace numavp::test
