/// The RTL lane balancer and its C++ twin, sample for sample.
#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "rtl/blocks.h"
#include "tests/rtl/random_samples.h"
#include "tests/support/needs.h"
#include "tlm-links/lanes/lane_balancer.h"

namespace numavp {
namespace {

TEST(RtlLaneBalancer, DecidesAsItsTwinAMillionTimes) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    Rng random(5);
    unsigned decided[3] = {};
    for (unsigned run = 0; run < 200; ++run) {
        const unsigned percent = run % 2 ? 99 : 1 + static_cast<unsigned>(random.below(100));
        const auto block = make_lane_balancer(LaneBalancerKind::dynamic_rtl, {percent});
        const auto twin = make_lane_balancer(LaneBalancerKind::dynamic, {percent});
        for (unsigned i = 0; i < 5'200; ++i) {
            if (random.below(64) == 0) {
                const LaneSplit wired{1 + static_cast<unsigned>(random.below(64)),
                                      1 + static_cast<unsigned>(random.below(64))};
                ASSERT_EQ(block->launch(wired), twin->launch(wired)) << wired.out << ", " << wired.in;
            }
            const LaneSample s = random_lane_sample(random, percent);
            const LaneDecision decision = twin->sample(s);
            ASSERT_EQ(block->sample(s), decision)
                << s.busy_out << " of " << s.available_out << " out, " << s.busy_in << " of " << s.available_in
                << " in, " << s.lanes_out << ", " << s.lanes_in << ", " << s.turning << " turning, " << percent << " %";
            ++decided[static_cast<unsigned>(decision)];
        }
    }
    EXPECT_GE(decided[0] + decided[1] + decided[2], 1'000'000U);
    for (const unsigned times : decided) EXPECT_GE(times, 100'000U);
}

TEST(RtlLaneBalancer, InstancesShareNothing) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    rtl::LaneBalancerBlock one;
    rtl::LaneBalancerBlock other;
    rtl::LaneBalancerBlock::Inputs full;
    full.saturation_percent = 99;
    full.sample = true;
    full.busy_out = full.available_out = full.available_in = 40'000;
    full.lanes_out = full.lanes_in = 8;
    rtl::LaneBalancerBlock::Inputs idle;
    EXPECT_EQ(one.edge(full).decision, 1U);
    EXPECT_EQ(other.edge(idle).decision, 0U);
    EXPECT_EQ(one.edge(full).decision, 1U);
    EXPECT_EQ(one.edge(idle).decision, 0U);
}

} // namespace
} // namespace numavp
