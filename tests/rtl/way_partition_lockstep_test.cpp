/// The RTL way-partition controller and its C++ twin, sample for sample.
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "models/cache/way_partition.h"
#include "rtl/blocks.h"
#include "tests/rtl/random_samples.h"
#include "tests/support/needs.h"

namespace numavp {
namespace {

TEST(RtlWayPartition, DecidesAsItsTwinAMillionTimes) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    Rng random(6);
    unsigned decided[4] = {};
    for (unsigned run = 0; run < 200; ++run) {
        WayPartitionParams params;
        params.saturation_percent = run % 2 ? 99 : 1 + static_cast<unsigned>(random.below(100));
        for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
            params.caches.push_back({2 + static_cast<unsigned>(random.below(random.below(2) ? 15 : 254)), 1});
        const auto block = make_way_partition(WayPartitionKind::numa_aware_rtl, params);
        const auto twin = make_way_partition(WayPartitionKind::numa_aware, params);
        for (unsigned i = 0; i < 5'200; ++i) {
            if (random.below(256) == 0) {
                block->launch();
                twin->launch();
            }
            const PartitionSample s = random_partition_sample(random, params.saturation_percent);
            const WayDecision decision = twin->sample(s);
            ASSERT_EQ(block->sample(s), decision)
                << s.local_bytes << " of " << s.local_capacity_bytes << " local, " << s.outgoing_reads << " reads of "
                << s.response_bytes << " B, " << s.ingress_capacity_bytes << " in, " << params.saturation_percent
                << " %";
            for (unsigned cache = 0; cache < params.caches.size(); ++cache)
                ASSERT_EQ(block->local_ways(cache), twin->local_ways(cache)) << params.caches[cache].ways << " ways";
            ++decided[static_cast<unsigned>(decision)];
        }
    }
    EXPECT_GE(decided[0] + decided[1] + decided[2] + decided[3], 1'000'000U);
    for (const unsigned times : decided) EXPECT_GE(times, 50'000U);
}

TEST(RtlWayPartition, RefusesWhatItsTwinRefuses) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    EXPECT_THROW(make_way_partition(WayPartitionKind::numa_aware_rtl, {99, {{16, 8}, {1, 1}}}), ModelError);
    EXPECT_THROW(make_way_partition(WayPartitionKind::numa_aware_rtl, {99, {{256, 8}}}), ModelError);
}

} // namespace
} // namespace numavp
