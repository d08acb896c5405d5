/// Parts of the difference of two runs, from hand-made results: whole cycles that sum to it.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config.h"
#include "platform/compare/attribution.h"
#include "platform/compare/comparison.h"
#include "tests/platform/verdict/made_run.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

ComparedRun attributed_run(const char* name, MadeRun made) {
    made.results["configuration"] = ordered_json(dump_config(made.config));
    return {name, made.results};
}

double of_cause(const CauseCycles& cycles, TimeCause cause) { return cycles[static_cast<std::size_t>(cause)]; }

double sum_of_parts(const CauseCycles& cycles) {
    double sum = 0.0;
    for (const double number : cycles) sum += number;
    return sum;
}

TEST(Attribution, SlotsAndLoadsDivideAKernel) {
    MadeRun before, after;
    for (const unsigned s : {0U, 1U}) {
        before.slots(s, 0.25, "memory");
        before.counter(s, "load_latency.local.parts.memory_ps", 300);
        before.counter(s, "load_latency.remote.parts.link_ps", 100);
    }
    after = before;
    after.counter(1, "load_latency.remote.parts.link_ps", 500); // of 1,200 in all, 600 are the links'
    after.outside(1000, 500);
    const std::vector<Attribution> all = numavp::attribute({attributed_run("a", before), attributed_run("b", after)});
    ASSERT_EQ(all.size(), 1U);
    const Attribution& one = all.front();
    EXPECT_EQ(one.before, 10000.0);
    EXPECT_EQ(of_cause(one.causes_before, TimeCause::issued), 2500.0);
    EXPECT_EQ(of_cause(one.causes_before, TimeCause::near_memory), 5625.0); // three quarters of 7,500
    EXPECT_EQ(of_cause(one.causes_before, TimeCause::link), 1875.0);
    EXPECT_EQ(of_cause(one.causes_after, TimeCause::launches), 1000.0);
    EXPECT_EQ(of_cause(one.causes_after, TimeCause::flushes), 500.0);
    EXPECT_EQ(of_cause(one.causes_after, TimeCause::issued), 2125.0);      // of 8,500
    EXPECT_EQ(of_cause(one.causes_after, TimeCause::near_memory), 3188.0); // half of 6,375: one is rounded up
    EXPECT_EQ(of_cause(one.causes_after, TimeCause::link), 3187.0);
    EXPECT_EQ(sum_of_parts(one.causes_after), 10000.0);
    ASSERT_EQ(one.kernels.size(), 2U);
    EXPECT_EQ(one.kernels[0].difference() + one.kernels[1].difference(), one.difference());
}

/// Hits of the L1 take their latency, and a queue that is full while the unit looks up is the unit's.
TEST(Attribution, TheLoadStoreUnit) {
    MadeRun made;
    for (const unsigned s : {0U, 1U}) {
        made.slots(s, 0.0, "queue_full");
        made.counter(s, "l1.load_lines", 2 * MadeRun::kCycles * 3 / 4);
        made.counter(s, "l1.hits", 10);
    }
    const std::vector<Attribution> all = numavp::attribute({attributed_run("a", made), attributed_run("b", made)});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(of_cause(all.front().causes_before, TimeCause::load_store), 7500.0);
    EXPECT_EQ(of_cause(all.front().causes_before, TimeCause::l1), 2500.0);
    EXPECT_EQ(all.front().difference(), 0.0);
    EXPECT_EQ(attribution_text(all, 20, Style{}), "");
}

/// Schedulers without warps are left out, but for sockets that have none at all.
TEST(Attribution, SocketsWithoutWarps) {
    MadeRun made;
    made.slots(0, 0.25, "no_warp");   // three schedulers in four have no warp, the fourth always issues
    made.slots(1, 0.0, "no_warp", 5); // waits for memory, then has no work
    const std::vector<Attribution> all = numavp::attribute({attributed_run("a", made), attributed_run("b", made)});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(of_cause(all.front().causes_before, TimeCause::issued), 5000.0);
    EXPECT_EQ(of_cause(all.front().causes_before, TimeCause::l1), 2500.0);
    EXPECT_EQ(of_cause(all.front().causes_before, TimeCause::no_warp), 2500.0);
}

/// Thirds do not go into whole cycles: the rests are given out.
TEST(Attribution, PartsAreWholeCyclesAndSumToTheDifference) {
    MadeRun before, after;
    for (const unsigned s : {0U, 1U}) {
        before.counter(s, "load_latency.local.parts.memory_ps", 1);
        before.counter(s, "load_latency.local.parts.noc_ps", 1);
        before.counter(s, "load_latency.local.parts.slice_ps", 1);
    }
    after = before;
    after.outside(0, 3331);
    after.counter(0, "load_latency.remote.parts.home_ps", 4);
    const std::vector<Attribution> all = numavp::attribute({attributed_run("a", before), attributed_run("b", after)});
    ASSERT_EQ(all.size(), 1U);
    double sum = 0.0;
    for (const KernelAttribution& kernel : all.front().kernels)
        for (const CauseCycles* cycles : {&kernel.before, &kernel.after})
            for (const double number : *cycles) {
                EXPECT_EQ(number, std::floor(number));
                sum += cycles == &kernel.after ? number : -number;
            }
    EXPECT_EQ(sum, all.front().difference());
    EXPECT_EQ(all.front().after, 10000.0);
}

/// A run of twice the clock in as many cycles takes half of the time: in cycles of the first.
TEST(Attribution, ClocksThatDiffer) {
    MadeRun before, after;
    after.config.clock_khz = 2 * before.config.clock_khz;
    const std::vector<Attribution> all = numavp::attribute({attributed_run("a", before), attributed_run("b", after)});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().after, 5000.0);
    EXPECT_THAT(attribution_text(all, 20, Style{}), HasSubstr("B takes 5,000 cycles less than A (-50.0 %)"));
}

TEST(Attribution, RunsWithoutSlotsAreNotDivided) {
    MadeRun made;
    made.results.erase("slots");
    const std::vector<Attribution> all = numavp::attribute({attributed_run("a", made), attributed_run("b", made)});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(of_cause(all.front().causes_before, TimeCause::undivided), 10000.0);
    made.results.erase("kernels");
    EXPECT_TRUE(numavp::attribute({attributed_run("a", made), attributed_run("b", made)}).empty());
}

TEST(Attribution, KernelsOfOneRunAloneCountInFull) {
    MadeRun before, after;
    after.results["kernels"]["rows"]["name"][0] = "other";
    const ordered_json json = json_of(numavp::attribute({attributed_run("a", before), attributed_run("b", after)}));
    const ordered_json& kernels = json.at(0).at("kernels");
    ASSERT_EQ(kernels.size(), 3U);
    EXPECT_EQ(kernels.at(0).at("difference").get<double>() + kernels.at(1).at("difference").get<double>(), 0.0);
    EXPECT_EQ(std::abs(kernels.at(0).at("difference").get<double>()), 10000.0);
    EXPECT_EQ(json.at(0).at("difference"), 0.0);
}

} // namespace
} // namespace numavp::test
