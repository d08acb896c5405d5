/// An interval core against closed forms: what the issue width, a chain, the misses at a time and the caches allow.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/models/cpu/core_bench.h"

namespace numavp::test {
namespace {

TEST(IntervalCore, IssuesSoManyACycle) {
    CoreBench bench(HostCoreConfig(), kLatency);
    EXPECT_EQ(bench.run(phase_of(1000, 40)), 40000U) << "a slot each, whatever the width";
}

/// Each flop waits for the one before; independent ones do not.
TEST(IntervalCore, ASumTakesItsFlops) {
    HostPhase sum = phase_of(1000, 4);
    sum.flops = sum.chain = 2;
    CoreBench apart(HostCoreConfig(), kLatency);
    EXPECT_LE(apart.run(sum), 4000U + 2 * 3 * 4);
    sum.dependence = HostDependence::sum;
    CoreBench chained(HostCoreConfig(), kLatency);
    EXPECT_NEAR(static_cast<double>(chained.run(sum)), 1000.0 * 2 * 3 * 4, 16) << "3 cycles a flop";
}

/// A list in memory: one miss after the other, each a look-up of 10 cycles and the memory's latency.
TEST(IntervalCore, APointerChaseWaitsForEachMiss) {
    HostPhase chase = phase_of(500, 2, {access_of(1ULL << 30, 128, HostWay::read, HostOrder::random)});
    chase.dependence = HostDependence::chase;
    CoreBench bench(HostCoreConfig(), kLatency);
    const Slot took = bench.run(chase);
    EXPECT_EQ(bench.most_out, 1U);
    EXPECT_EQ(bench.core.counts().fetched, 500U);
    EXPECT_NEAR(static_cast<double>(took), 500.0 * (kLatency + 40), 100);
}

/// What an item needs is what the one before read last: where that is in the L1, misses of the first read overlap as a
/// stream's do, by the window.
TEST(IntervalCore, AChaseWaitsForTheLastReadOfAnItem) {
    constexpr unsigned kItems = 500;
    const HostAccess near = access_of(128, 128),
                     far = access_of(1ULL << 30, 128, HostWay::read, HostOrder::random, 1ULL << 31);
    const auto took = [&](std::vector<HostAccess> accesses) {
        CoreBench bench(HostCoreConfig(), kLatency);
        bench.run(phase_of(1, 1, {near}));
        HostPhase chase = phase_of(kItems, 40, std::move(accesses));
        chase.dependence = HostDependence::chase;
        return static_cast<double>(bench.run(chase));
    };
    const double overlapping = kItems / 2.0 * (kLatency + 40 + 16);
    EXPECT_NEAR(took({far, near}), overlapping, 0.03 * overlapping) << "two items in the window";
    const double waiting = kItems * (kLatency + 40.0);
    EXPECT_NEAR(took({far}), waiting, 0.03 * waiting) << "each item for the one before";
}

/// Independent misses that fit the window overlap up to the registers: Little's law.
TEST(IntervalCore, StreamsByItsMissRegisters) {
    for (const unsigned registers : {1U, 4U, 8U}) {
        HostCoreConfig config;
        config.miss_registers = registers;
        CoreBench bench(config, kLatency);
        const HostPhase stream = phase_of(4000, 2, {access_of(4000 * 128, 128)});
        const double took = static_cast<double>(bench.run(stream));
        EXPECT_EQ(bench.most_out, registers);
        EXPECT_NEAR(took, 4000.0 / registers * kLatency, 0.01 * took + kLatency) << registers;
    }
}

/// With 40 instructions between misses, a window of 64 holds two of them, whatever the registers.
TEST(IntervalCore, StreamsByItsWindow) {
    CoreBench bench(HostCoreConfig(), kLatency);
    const double took = static_cast<double>(bench.run(phase_of(2000, 40, {access_of(2000 * 128, 128)})));
    EXPECT_EQ(bench.most_out, 2U);
    EXPECT_NEAR(took, 2000.0 / 2 * (kLatency + 40 + 16), 0.02 * took) << "and the issue of what is between";
}

/// Enough registers: the memory's bandwidth.
TEST(IntervalCore, StreamsByTheMemorysBandwidth) {
    HostCoreConfig config;
    config.miss_registers = 64;
    config.window = 512;
    CoreBench bench(config, kLatency, 50);
    const double took = static_cast<double>(bench.run(phase_of(4000, 2, {access_of(4000 * 128, 128)})));
    EXPECT_NEAR(took, 4000.0 * 50, 0.02 * took + kLatency);
}

/// What fits is fetched once; hits take their latency, which a chase shows.
TEST(IntervalCore, KeepsWhatFits) {
    struct Level {
        std::uint64_t bytes;
        Slot slots; ///< of a hit
    };
    for (const Level& level : {Level{32 << 10, 2 * 4}, Level{1 << 20, 10 * 4}}) {
        CoreBench bench(HostCoreConfig(), kLatency);
        const std::uint64_t lines = level.bytes / 128;
        bench.run(phase_of(lines, 1, {access_of(level.bytes, 128)}));
        EXPECT_EQ(bench.core.counts().fetched, lines);
        HostPhase again = phase_of(20000, 2, {access_of(level.bytes, 128)});
        again.dependence = HostDependence::chase;
        const double took = static_cast<double>(bench.run(again));
        EXPECT_EQ(bench.core.counts().fetched, lines) << "all are there";
        EXPECT_NEAR(took, 20000.0 * static_cast<double>(level.slots), 0.02 * took);
    }
}

/// Words of a line are one miss; each word hits or waits for it.
TEST(IntervalCore, FetchesALineOnce) {
    CoreBench bench(HostCoreConfig(), kLatency);
    bench.run(phase_of(3200, 3, {access_of(3200 * 4, 4)}));
    const HostCoreCounts& counts = bench.core.counts();
    EXPECT_EQ(counts.fetched, 100U);
    EXPECT_EQ(counts.loads, 3200U);
    EXPECT_EQ(counts.l1_hits + counts.l2_hits + counts.merged + counts.fetched, counts.loads);
}

/// A write fetches its line, is written back once behind the phase, and the line stays for the next phase.
TEST(IntervalCore, WritesBackWhatItWrote) {
    CoreBench bench(HostCoreConfig(), kLatency);
    const HostPhase writes = phase_of(100, 2, {access_of(100 * 128, 128, HostWay::write)});
    bench.run(writes);
    EXPECT_EQ(bench.cleaned.size(), 100U);
    EXPECT_EQ(bench.core.counts().fetched, 100U);
    bench.run(phase_of(100, 2, {access_of(100 * 128, 128)}));
    EXPECT_EQ(bench.cleaned.size(), 100U) << "reading makes nothing dirty";
    EXPECT_EQ(bench.core.counts().fetched, 100U);
    bench.caches.forget(1U << 20, 50 * 128);
    bench.run(phase_of(100, 2, {access_of(100 * 128, 128)}));
    EXPECT_EQ(bench.core.counts().fetched, 150U) << "half of the range was changed by others";
    bench.caches.forget();
    bench.run(phase_of(100, 2, {access_of(100 * 128, 128)}));
    EXPECT_EQ(bench.core.counts().fetched, 250U);
}

/// More dirty lines than the L2 holds: they leave it while the phase runs, all of them once.
TEST(IntervalCore, EvictsDirtyLines) {
    HostCoreConfig config;
    config.l1_kib = 2;
    config.l1_ways = 2;
    config.l2_kib = 16;
    config.l2_ways = 4;
    CoreBench bench(config, kLatency);
    EXPECT_NE(bench.run(phase_of(1000, 2, {access_of(1000 * 128, 128, HostWay::update)})), kNever);
    EXPECT_EQ(bench.core.counts().written, 1000U);
    EXPECT_LE(bench.cleaned.size(), 128U);
    EXPECT_EQ(bench.core.counts().fetched, 1000U);
    EXPECT_TRUE(bench.core.drained());
}

/// Two passes of a stride of four words touch every other element once.
TEST(HostAccess, PassesShiftByAnElement) {
    HostAccess column = access_of(1024, 4);
    column.stride_bytes = 16;
    const Rng none(1);
    EXPECT_EQ(column.steps(), 64U);
    EXPECT_EQ(column.address(1, none) - column.base, 16U);
    EXPECT_EQ(column.address(64, none) - column.base, 4U);
    EXPECT_EQ(column.address(4 * 64, none), column.base) << "the stride is full";
    std::vector<bool> seen(256, false);
    for (std::uint64_t i = 0; i < 256; ++i) seen[(column.address(i, none) - column.base) / 4] = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 256);
}

} // namespace
} // namespace numavp::test
