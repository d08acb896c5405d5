/// Several cores that share lines: their values against a flat memory, and what sharing costs.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/models/cpu/shared_bench.h"
#include "tests/support/fast_build.h"

namespace numavp::test {
namespace {

HostCoreConfig cores_of(unsigned cores) {
    HostCoreConfig config;
    config.cores = cores;
    return config;
}

/// Caches that hold a part of the region, or all of it, and lines that others write between two rounds.
TEST(SharingCores, SeeTheValuesOfAFlatMemory) {
    for (std::uint64_t seed = 0; seed < of_seeds(24); ++seed) {
        Rng rng(seed, 5);
        HostCoreConfig config = cores_of(2 + static_cast<unsigned>(rng.below(4)));
        config.l1_kib = 1U << rng.below(3);
        config.l1_ways = 2;
        config.l2_kib = config.l1_kib * 4;
        config.l2_ways = 4;
        config.miss_registers = 1 + static_cast<unsigned>(rng.below(8));
        config.write_buffer = 1 + static_cast<unsigned>(rng.below(4));
        const Slot latency = 40 + rng.below(1000);
        SharedBench bench(config, latency);
        const std::uint64_t bytes = 1024ULL << rng.below(5);
        if (rng.below(2) == 0)
            bench.forget_every = 2 * latency + rng.below(1000); // what is on its way then comes again
        for (unsigned round = 0; round < 4; ++round) {
            std::vector<HostPhase> phases;
            for (unsigned c = 0; c < config.cores; ++c) phases.push_back(drawn_phase(rng, bytes));
            ASSERT_NE(bench.run(phases), kNever) << "seed " << seed;
            ASSERT_EQ(bench.bytes.wrong, "") << "seed " << seed << ", round " << round;
            ASSERT_EQ(bench.memory_fault(), "") << "seed " << seed << ", round " << round;
            ASSERT_EQ(bench.bad_states, "") << "seed " << seed;
            for (unsigned i = 0; i < 50; ++i) bench.poke(kBase + rng.below(bytes), static_cast<unsigned char>(i));
            if (rng.below(2) == 0)
                bench.caches.forget();
            else
                bench.caches.forget(kBase, bytes);
        }
        for (const auto& core : bench.cores) EXPECT_TRUE(core->drained());
        EXPECT_GT(bench.bytes.compared, 1000U);
        EXPECT_GT(bench.caches.counts().transfers, 10U);
        EXPECT_GT(bench.caches.counts().invalidations, 10U);
    }
}

/// Each load of a list that another core's L1 has goes by way of the directory and of that L1.
TEST(SharingCores, ReadLinesOfOthersInTwoTurns) {
    SharedBench bench(cores_of(2), kLatency);
    constexpr std::uint64_t kLines = 256;
    const HostPhase writes = phase_of(kLines, 2, {access_of(kLines * 128, 128, HostWay::write)});
    HostPhase chase = phase_of(kLines, 2, {access_of(kLines * 128, 128)});
    chase.dependence = HostDependence::chase;
    bench.run({writes, phase_of(1, 1, {})});
    const auto took = [&] { return static_cast<double>(bench.run({phase_of(1, 1, {}), chase})) / kLines; };
    EXPECT_NEAR(took(), (10 + 10) * 4, 1) << "clean behind the phase, but nobody else's";
    EXPECT_EQ(bench.caches.counts().transfers, kLines);
    EXPECT_NEAR(took(), 2 * 4, 1) << "in its own L1";
    EXPECT_EQ(bench.caches.counts().transfers, kLines);
}

/// Lines that several L1s only read are the L2's.
TEST(SharingCores, ReadLinesOfReadersInOne) {
    SharedBench bench(cores_of(3), kLatency);
    constexpr std::uint64_t kLines = 256;
    HostPhase chase = phase_of(kLines, 2, {access_of(kLines * 128, 128)});
    chase.dependence = HostDependence::chase;
    bench.run({chase});
    bench.run({phase_of(1, 1, {}), chase});
    const auto took = static_cast<double>(bench.run({phase_of(1, 1, {}), phase_of(1, 1, {}), chase}));
    EXPECT_NEAR(took / kLines, 10 * 4, 1);
}

/// Three cores wait for one line from memory. The first has it when it comes, the second takes it over from the first,
/// and the third gets it of the L2 behind them.
TEST(SharingCores, WhoWaitsForAFillGetsItFromWhoHasItFirst) {
    SharedBench bench(cores_of(3), kLatency);
    const HostPhase reads = phase_of(1, 1, {access_of(128, 128)});
    bench.run({reads, reads, reads});
    constexpr Slot kTransfer = (10 + 10) * 4, kOfTheL2 = 10 * 4;
    EXPECT_EQ(bench.cores[1]->end() - bench.cores[0]->end(), kTransfer);
    EXPECT_EQ(bench.cores[2]->end() - bench.cores[0]->end(), kTransfer + kOfTheL2);
    EXPECT_EQ(bench.caches.counts().transfers, 1U);
    EXPECT_EQ(bench.cores[0]->counts().fetched, 1U);
    EXPECT_EQ(bench.cores[1]->counts().merged + bench.cores[2]->counts().merged, 2U);
    EXPECT_EQ(bench.cores[1]->counts().fetched + bench.cores[2]->counts().fetched, 0U);
}

/// Two cores write the same line, each words of its own: every store waits for the other core's.
TEST(SharingCores, WriteOneLineInTurns) {
    constexpr std::uint64_t kItems = 500;
    const auto slots = [](std::uint64_t apart) {
        SharedBench bench(cores_of(2), kLatency);
        const auto writes = [&](std::uint64_t items) {
            std::vector<HostPhase> phases;
            for (std::uint64_t c = 0; c < 2; ++c)
                phases.push_back(
                    phase_of(items, 1, {access_of(4, 4, HostWay::write, HostOrder::sequential, kBase + c * apart)}));
            return static_cast<double>(bench.run(phases));
        };
        writes(1); // the line is in the L2
        const double took = writes(kItems);
        EXPECT_EQ(bench.memory_fault(), "");
        return took;
    };
    EXPECT_NEAR(slots(128), kItems, 100) << "lines apart";
    EXPECT_NEAR(slots(4), 2 * kItems * (10 + 10) * 4, 0.02 * 2 * kItems * 80) << "a transfer each";
}

/// What all read comes from memory once, and what they compute goes on side by side.
TEST(SharingCores, ShareWhatTheyRead) {
    SharedBench bench(cores_of(4), kLatency);
    const HostPhase reads = phase_of(4000, 20, {access_of(4000 * 32, 32)});
    const Slot took = bench.run({reads, reads, reads, reads});
    std::uint64_t fetched = 0, all = 0;
    for (const auto& core : bench.cores) {
        const HostCoreCounts& c = core->counts();
        fetched += c.fetched;
        EXPECT_EQ(c.l1_hits + c.l2_hits + c.merged + c.fetched, c.loads);
        all += c.loads;
    }
    EXPECT_EQ(fetched, 1000U);
    EXPECT_EQ(all, 16000U);
    SharedBench one(cores_of(1), kLatency);
    EXPECT_NEAR(static_cast<double>(took), static_cast<double>(one.run({reads})), 0.05 * static_cast<double>(took));
}

} // namespace
} // namespace numavp::test
