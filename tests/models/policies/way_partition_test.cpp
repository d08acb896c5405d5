/// The way-partition controller: steps 0 to 5 of section 5.1 as a table, then the contract over every controller.
#include <string>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "models/cache/way_partition.h"
#include "rtl/blocks.h"

namespace numavp {
namespace {

constexpr auto kKeepWays = WayDecision::none;
constexpr auto kMoreRemote = WayDecision::more_remote;
constexpr auto kMoreLocal = WayDecision::more_local;
constexpr auto kTowardEqual = WayDecision::toward_equal;

// Table 1: L2 16 ways, L1 4 ways.
const WayPartitionParams kTable1{99, {{16, 8}, {4, 2}}};
constexpr unsigned kL2 = 0;
constexpr unsigned kL1 = 1;

// 5,000 cycles of 768 B memory and 64 B ingress: 99 % are 3,801,600 B and 316,800 B, that is 2,329.4 responses.
constexpr std::uint64_t kMemory = 3'840'000;
constexpr std::uint64_t kIngress = 320'000;
constexpr PartitionSample kLinkFull{0, kMemory, 2'400, 136, kIngress};
constexpr PartitionSample kMemoryFull{kMemory, kMemory, 0, 136, kIngress};
constexpr PartitionSample kBothFull{kMemory, kMemory, 2'400, 136, kIngress};
constexpr PartitionSample kIdle{0, kMemory, 0, 136, kIngress};

struct WayRow {
    const char* what;
    PartitionSample sample;
    WayDecision decision;
};

constexpr WayRow kWayRows[] = {
    {"step 5: idle", kIdle, kKeepWays},
    {"step 5: both below", {3'801'599, kMemory, 2'329, 136, kIngress}, kKeepWays},
    {"step 2: link just saturated", {3'801'599, kMemory, 2'330, 136, kIngress}, kMoreRemote},
    {"step 2: link at exactly 99 %", {0, kMemory, 39'600, 8, kIngress}, kMoreRemote},
    {"step 5: link a packet below 99 %", {0, kMemory, 39'599, 8, kIngress}, kKeepWays},
    {"step 3: memory at exactly 99 %", {3'801'600, kMemory, 2'329, 136, kIngress}, kMoreLocal},
    {"step 4: both", {3'801'600, kMemory, 2'330, 136, kIngress}, kTowardEqual},
    {"step 2: projection above what the link carries", {0, kMemory, 100'000, 136, kIngress}, kMoreRemote},
    {"step 2: only two lanes face in", {0, kMemory, 600, 136, 80'000}, kMoreRemote},
    {"step 5: fourteen lanes face in", {0, kMemory, 2'400, 136, 560'000}, kKeepWays},
    {"one socket: no link", {0, kMemory, 0, 136, 0}, kKeepWays},
};

TEST(NumaAwareWayPartition, DecidesAsSectionFiveSays) {
    for (const WayRow& row : kWayRows) {
        NumaAwareWayPartition partition(kTable1);
        EXPECT_EQ(partition.sample(row.sample), row.decision) << row.what;
    }
}

TEST(NumaAwareWayPartition, StepZeroIsHalfEach) {
    struct {
        unsigned ways;
        unsigned local;
    } const rows[] = {{2, 1}, {3, 2}, {4, 2}, {5, 3}, {16, 8}, {32, 16}};
    for (const auto& row : rows) {
        NumaAwareWayPartition partition({99, {{row.ways, 1}}});
        EXPECT_EQ(partition.local_ways(0), row.local) << row.ways << " ways";
        partition.sample(kLinkFull);
        partition.launch();
        EXPECT_EQ(partition.local_ways(0), row.local) << row.ways << " ways";
    }
}

TEST(NumaAwareWayPartition, EachCacheMovesOneWayASampleToItsOwnLimit) {
    NumaAwareWayPartition partition(kTable1);
    struct {
        PartitionSample sample;
        unsigned l2;
        unsigned l1;
    } const steps[] = {
        {kLinkFull, 7, 1}, {kLinkFull, 6, 1},   {kLinkFull, 5, 1},   {kLinkFull, 4, 1}, {kLinkFull, 3, 1},
        {kLinkFull, 2, 1}, {kLinkFull, 1, 1},   {kLinkFull, 1, 1},   {kIdle, 1, 1},     {kBothFull, 2, 2},
        {kBothFull, 3, 2}, {kMemoryFull, 4, 3}, {kMemoryFull, 5, 3}, {kBothFull, 6, 2}, {kBothFull, 7, 2},
        {kBothFull, 8, 2}, {kBothFull, 8, 2},   {kMemoryFull, 9, 3}, {kBothFull, 8, 2},
    };
    unsigned i = 0;
    for (const auto& step : steps) {
        partition.sample(step.sample);
        EXPECT_EQ(partition.local_ways(kL2), step.l2) << "sample " << i;
        EXPECT_EQ(partition.local_ways(kL1), step.l1) << "sample " << i;
        ++i;
    }
    for (i = 0; i < 20; ++i) partition.sample(kMemoryFull);
    EXPECT_EQ(partition.local_ways(kL2), 15U);
    EXPECT_EQ(partition.local_ways(kL1), 3U);
}

TEST(NumaAwareWayPartition, OddWaysRestOneApart) {
    NumaAwareWayPartition partition({99, {{5, 2}}});
    partition.sample(kBothFull); // 3 : 2 is equal
    EXPECT_EQ(partition.local_ways(0), 3U);
    partition.sample(kLinkFull);
    EXPECT_EQ(partition.local_ways(0), 2U);
    partition.sample(kBothFull); // 2 : 3 is equal
    EXPECT_EQ(partition.local_ways(0), 2U);
    partition.sample(kLinkFull);
    partition.sample(kBothFull);
    EXPECT_EQ(partition.local_ways(0), 2U);
}

TEST(FixedWayPartition, KeepsWhatIsConfigured) {
    FixedWayPartition partition({99, {{16, 4}, {4, 1}}});
    for (const WayRow& row : kWayRows) EXPECT_EQ(partition.sample(row.sample), kKeepWays) << row.what;
    partition.launch();
    EXPECT_EQ(partition.local_ways(kL2), 12U);
    EXPECT_EQ(partition.local_ways(kL1), 3U);
}

TEST(WayPartition, ASideWithoutWaysIsRefused) {
    EXPECT_THROW(FixedWayPartition({99, {{16, 16}}}), ModelError);
    EXPECT_THROW(FixedWayPartition({99, {{16, 0}}}), ModelError);
    EXPECT_THROW(NumaAwareWayPartition({99, {{16, 8}, {1, 1}}}), ModelError);
}

TEST(WayPartitionContract, EveryControllerKeepsAWayEachAndMovesOneASample) {
    for (const auto& entry : kWayPartitions) {
        SCOPED_TRACE(std::string(entry.name));
        if (entry.value == WayPartitionKind::numa_aware_rtl && !rtl::missing().empty()) continue;
        WayPartitionParams params;
        for (unsigned ways = 2; ways <= 33; ++ways) params.caches.push_back({ways, ways / 2});
        const auto partition = make_way_partition(entry.value, params);
        const auto twin = make_way_partition(entry.value, params);
        ASSERT_NE(partition, nullptr);
        Rng random(3);
        const PartitionSample samples[] = {kIdle, kLinkFull, kMemoryFull, kBothFull};
        PartitionSample drift = kIdle;
        for (unsigned i = 0; i < 5'000; ++i) {
            if (random.next() % 8 == 0) drift = samples[random.next() % 4]; // phases, so that limits are reached
            if (random.next() % 100 == 0) {
                partition->launch();
                twin->launch();
            }
            std::vector<unsigned> before;
            for (unsigned c = 0; c < params.caches.size(); ++c) before.push_back(partition->local_ways(c));
            ASSERT_EQ(partition->sample(drift), twin->sample(drift));
            for (unsigned c = 0; c < params.caches.size(); ++c) {
                const unsigned local = partition->local_ways(c);
                ASSERT_EQ(twin->local_ways(c), local);
                ASSERT_GE(local, 1U);
                ASSERT_LT(local, params.caches[c].ways);
                ASSERT_LE(local > before[c] ? local - before[c] : before[c] - local, 1U);
            }
        }
    }
}

} // namespace
} // namespace numavp
