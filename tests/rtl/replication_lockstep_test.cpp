/// The RTL replication evaluator and its C++ twin: bit for bit, and in the cycles of the paper.
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "models/cache/replication_model.h"
#include "rtl/blocks.h"
#include "tests/rtl/random_samples.h"
#include "tests/support/needs.h"

namespace numavp {
namespace {

using Pins = rtl::ReplicationModelBlock;

Pins::Inputs pins_of(const ReplicationProfile& none, const ReplicationProfile& full, const ReplicationBandwidths& raw) {
    const auto two = [&](std::uint64_t ReplicationProfile::*count) {
        return Pins::Counts{static_cast<unsigned>(none.*count), static_cast<unsigned>(full.*count)};
    };
    Pins::Inputs in;
    in.lookups = two(&ReplicationProfile::lookups);
    in.hits = two(&ReplicationProfile::hits);
    in.misses = two(&ReplicationProfile::misses);
    in.requests = two(&ReplicationProfile::requests);
    in.local_requests = two(&ReplicationProfile::local_requests);
    in.remote_requests = two(&ReplicationProfile::remote_requests);
    in.llc = static_cast<unsigned>(raw.llc);
    in.memory = static_cast<unsigned>(raw.memory);
    in.noc = static_cast<unsigned>(raw.noc);
    return in;
}

TEST(RtlReplicationModel, IsDoneAfter116CyclesAndDecidesInThe117th) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    rtl::ReplicationModelBlock block;
    Pins::Inputs in = pins_of({100, 50, 50, 100, 50, 50}, {100, 40, 60, 100, 50, 50}, {1000, 500, 300});
    in.start = true;
    ASSERT_TRUE(block.edge(in).busy);
    for (unsigned cycle = 1; cycle <= 115; ++cycle) ASSERT_FALSE(block.edge({}).done) << cycle;
    const Pins::Outputs at_116 = block.edge({});
    EXPECT_TRUE(at_116.done);
    EXPECT_FALSE(at_116.decided);
    const Pins::Outputs at_117 = block.edge({});
    EXPECT_FALSE(at_117.done);
    EXPECT_FALSE(at_117.busy);
    EXPECT_TRUE(at_117.decided);
    EXPECT_FALSE(block.edge({}).decided);
    EXPECT_EQ(replication_cycles(), 116U);
    EXPECT_EQ(kReplicationDecisionCycles, 117U);
}

TEST(RtlReplicationModel, ComputesAsItsTwinBitForBit) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const ReplicationModel twin;
    rtl::ReplicationModelBlock block;
    Rng random(9);
    unsigned replicated = 0;
    constexpr unsigned kTimes = 10'000;
    for (unsigned i = 0; i < kTimes; ++i) {
        const ReplicationProfile none = random_profile(random);
        const ReplicationProfile full = random.below(2) ? random_profile(random) : none;
        const ReplicationBandwidths raw = random_bandwidths(random);
        const ReplicationEstimate expected = twin.evaluate(none, full, raw);
        Pins::Inputs in = pins_of(none, full, raw);
        in.start = true;
        block.edge(in);
        in = pins_of(full, none, random_bandwidths(random)); // they were taken at the start
        for (unsigned cycle = 1; cycle < replication_cycles(); ++cycle) {
            in.start = random.below(16) == 0; // ignored
            block.edge(in);
        }
        const Pins::Outputs done = block.edge(in);
        ASSERT_TRUE(done.done);
        ASSERT_EQ(done.bandwidth_none, expected.bandwidth_none) << i;
        ASSERT_EQ(done.bandwidth_full, expected.bandwidth_full) << i;
        const Pins::Outputs decided = block.edge({});
        ASSERT_TRUE(decided.decided);
        ASSERT_EQ(decided.replicate, expected.replicate) << i;
        replicated += expected.replicate ? 1 : 0;
    }
    EXPECT_GT(replicated, kTimes / 10);
    EXPECT_LT(replicated, kTimes * 9 / 10);
}

} // namespace
} // namespace numavp
