/// The link load balancer: decisions of section 4 as a table, then the contract over every balancer there is.

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "rtl/blocks.h"
#include "tlm-links/lanes/lane_balancer.h"

namespace numavp {
namespace {

constexpr auto kNone = LaneDecision::none;
constexpr auto kTurnOut = LaneDecision::turn_one_out;
constexpr auto kTurnIn = LaneDecision::turn_one_in;

struct Row {
    const char* what;
    LaneSample sample;
    LaneDecision decision;
};

// 5,000 cycles: 8 lanes have 40,000 slots, of which 39,600 are 99 %.
constexpr Row kRows[] = {
    {"idle", {0, 40'000, 0, 40'000, 8, 8, 0}, kNone},
    {"neither saturated", {39'599, 40'000, 39'599, 40'000, 8, 8, 0}, kNone},
    {"out at exactly 99 %", {39'600, 40'000, 0, 40'000, 8, 8, 0}, kTurnOut},
    {"out a slot below 99 %", {39'599, 40'000, 0, 40'000, 8, 8, 0}, kNone},
    {"in at exactly 99 %", {0, 40'000, 39'600, 40'000, 8, 8, 0}, kTurnIn},
    {"in a slot below 99 %", {0, 40'000, 39'599, 40'000, 8, 8, 0}, kNone},
    {"in full, out just below", {39'599, 40'000, 40'000, 40'000, 8, 8, 0}, kTurnIn},
    {"out full, two lanes in left", {70'000, 70'000, 0, 10'000, 14, 2, 0}, kTurnOut},
    {"out full, the last lane in stays", {75'000, 75'000, 0, 5'000, 15, 1, 0}, kNone},
    {"in full, the last lane out stays", {0, 5'000, 75'000, 75'000, 1, 15, 0}, kNone},
    {"the few lanes in are full alone: back", {10'000, 70'000, 10'000, 10'000, 14, 2, 0}, kTurnIn},
    {"both full, symmetric", {40'000, 40'000, 40'000, 40'000, 8, 8, 0}, kNone},
    {"both full, out has more", {45'000, 45'000, 35'000, 35'000, 9, 7, 0}, kTurnIn},
    {"both full, in has more", {5'000, 5'000, 75'000, 75'000, 1, 15, 0}, kTurnOut},
    {"both full, odd number of lanes", {40'000, 40'000, 35'000, 35'000, 8, 7, 0}, kNone},
    {"both full, odd number, three apart", {45'000, 45'000, 30'000, 30'000, 9, 6, 0}, kTurnIn},
    {"one lane each way", {5'000, 5'000, 0, 5'000, 1, 1, 0}, kNone},
    {"a lane is turning", {40'000, 40'000, 0, 35'000, 8, 7, 1}, kNone},
    {"nothing was available", {0, 0, 0, 0, 8, 8, 0}, kNone},
};

TEST(DynamicLaneBalancer, DecidesAsSectionFourSays) {
    DynamicLaneBalancer balancer(LaneBalancerParams{});
    for (const Row& row : kRows) EXPECT_EQ(balancer.sample(row.sample), row.decision) << row.what;
}

TEST(DynamicLaneBalancer, TheThresholdIsAParameter) {
    struct {
        unsigned percent;
        std::uint64_t busy;
        LaneDecision decision;
    } const rows[] = {{50, 20'000, kTurnOut}, {50, 19'999, kNone}, {100, 40'000, kTurnOut}, {100, 39'999, kNone}};
    for (const auto& row : rows) {
        DynamicLaneBalancer balancer(LaneBalancerParams{row.percent});
        EXPECT_EQ(balancer.sample({row.busy, 40'000, 0, 40'000, 8, 8, 0}), row.decision) << row.percent;
    }
}

TEST(DynamicLaneBalancer, ALaunchIsSymmetric) {
    DynamicLaneBalancer balancer(LaneBalancerParams{});
    EXPECT_EQ(balancer.launch({8, 8}), (LaneSplit{8, 8}));
    EXPECT_EQ(balancer.launch({14, 2}), (LaneSplit{8, 8}));
    EXPECT_EQ(balancer.launch({8, 7}), (LaneSplit{8, 7}));
    EXPECT_EQ(balancer.launch({1, 1}), (LaneSplit{1, 1}));
}

TEST(StaticLaneBalancer, LeavesTheLanesAsWired) {
    StaticLaneBalancer balancer;
    EXPECT_EQ(balancer.launch({14, 2}), (LaneSplit{14, 2}));
    for (const Row& row : kRows) EXPECT_EQ(balancer.sample(row.sample), kNone) << row.what;
}

TEST(DynamicLaneBalancer, OneSidedLoadTakesAllLanesButOneAndReturnsWhenBothSaturate) {
    DynamicLaneBalancer balancer(LaneBalancerParams{});
    LaneSplit lanes = balancer.launch({8, 8});
    const auto step = [&](bool out_full, bool in_full) {
        const std::uint64_t out = std::uint64_t{5'000} * lanes.out;
        const std::uint64_t in = std::uint64_t{5'000} * lanes.in;
        const LaneDecision decision =
            balancer.sample({out_full ? out : 0, out, in_full ? in : 0, in, lanes.out, lanes.in, 0});
        if (decision == kTurnOut) lanes = {lanes.out + 1, lanes.in - 1};
        if (decision == kTurnIn) lanes = {lanes.out - 1, lanes.in + 1};
    };
    for (unsigned out = 9; out <= 15; ++out) {
        step(true, false);
        EXPECT_EQ(lanes, (LaneSplit{out, 16 - out}));
    }
    step(true, false);
    EXPECT_EQ(lanes, (LaneSplit{15, 1}));
    for (unsigned out = 14; out >= 8; --out) {
        step(true, true);
        EXPECT_EQ(lanes, (LaneSplit{out, 16 - out}));
    }
    step(true, true);
    EXPECT_EQ(lanes, (LaneSplit{8, 8}));
}

TEST(LaneBalancerContract, EveryBalancerKeepsALaneEachWayAndIsOneToOneWithItsSamples) {
    for (const auto& entry : kLaneBalancers) {
        SCOPED_TRACE(std::string(entry.name));
        if (entry.value == LaneBalancerKind::dynamic_rtl && !rtl::missing().empty()) continue;
        const auto balancer = make_lane_balancer(entry.value, LaneBalancerParams{});
        const auto twin = make_lane_balancer(entry.value, LaneBalancerParams{});
        ASSERT_NE(balancer, nullptr);
        Rng random(11);
        for (unsigned lanes = 2; lanes <= 33; ++lanes) {
            LaneSplit now = balancer->launch({lanes - 1, 1});
            EXPECT_EQ(twin->launch({lanes - 1, 1}), now);
            EXPECT_EQ(now.out + now.in, lanes);
            for (unsigned i = 0; i < 500; ++i) {
                LaneSample s;
                s.lanes_out = now.out;
                s.lanes_in = now.in;
                s.available_out = now.out * (random.next() % 5'000);
                s.available_in = now.in * (random.next() % 5'000);
                s.busy_out = random.next() % 2 ? s.available_out : random.next() % (s.available_out + 1);
                s.busy_in = random.next() % 2 ? s.available_in : random.next() % (s.available_in + 1);
                const LaneDecision decision = balancer->sample(s);
                ASSERT_EQ(twin->sample(s), decision);
                if (decision == kTurnOut) now = {now.out + 1, now.in - 1};
                if (decision == kTurnIn) now = {now.out - 1, now.in + 1};
                ASSERT_GE(now.out, 1U);
                ASSERT_GE(now.in, 1U);
                s.turning = 1;
                ASSERT_EQ(balancer->sample(s), kNone);
                ASSERT_EQ(twin->sample(s), kNone);
            }
        }
    }
}

} // namespace
} // namespace numavp
