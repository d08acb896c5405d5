/// The replication evaluator: the equations of NUBA, section 5.1, by hand; then against exact real arithmetic.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "models/cache/replication_model.h"

namespace numavp {
namespace {

TEST(ReplicationModel, FollowsTheEquations) {
    const ReplicationModel model;
    // Half of the lookups hit, a quarter of the requests are local: all fractions are exact in binary.
    const ReplicationProfile none{1000, 500, 500, 400, 100, 300};
    const ReplicationProfile full{1000, 250, 750, 400, 100, 300};
    struct {
        const char* what;
        ReplicationBandwidths raw;
        std::uint64_t bandwidth_none, bandwidth_full;
    } const rows[] = {
        // none: miss min(500, 600) = 500, local 1000, remote min(400, 1000) = 400: 250 + 300
        // full: memory 150 + 300 = 450, miss min(750, 450) = 450: 250 + 450
        {"the network binds without replication", {1000, 600, 400}, 550, 700},
        // none: miss 200, local 700, remote 700: 175 + 525; full: memory 50 + 150, miss 200: 250 + 200
        {"memory binds and hits are lost", {1000, 200, 4000}, 700, 450},
        // none: miss 500, local 1000, remote 1000: 250 + 750; full: memory 4000, miss 750: 250 + 750
        {"nothing but the cache binds: equal", {1000, 4000, 4000}, 1000, 1000},
    };
    for (const auto& row : rows) {
        const ReplicationEstimate e = model.evaluate(none, full, row.raw);
        EXPECT_EQ(e.bandwidth_none, row.bandwidth_none) << row.what;
        EXPECT_EQ(e.bandwidth_full, row.bandwidth_full) << row.what;
        EXPECT_EQ(e.replicate, row.bandwidth_full > row.bandwidth_none) << row.what;
    }
}

TEST(ReplicationModel, NothingCountedIsNoBandwidth) {
    const ReplicationEstimate e = ReplicationModel().evaluate({}, {}, {1000, 600, 400});
    EXPECT_EQ(e.bandwidth_none, 0U);
    EXPECT_EQ(e.bandwidth_full, 0U);
    EXPECT_FALSE(e.replicate);
}

TEST(ReplicationModel, TruncatesByAFewUnitsAtMost) {
    const ReplicationModel model;
    Rng random(4);
    for (unsigned i = 0; i < 20'000; ++i) {
        ReplicationProfile p;
        p.lookups = 1 + random.below(1U << 24U >> random.below(20)) % 0xffffffU;
        p.hits = random.below(p.lookups + 1);
        p.misses = p.lookups - p.hits;
        p.requests = 1 + random.below(0xffffffU);
        p.local_requests = random.below(p.requests + 1);
        p.remote_requests = p.requests - p.local_requests;
        const ReplicationBandwidths raw{random.below(1U << 24U), random.below(1U << 24U), random.below(1U << 24U)};
        const double hit = static_cast<double>(p.hits) / static_cast<double>(p.lookups);
        const double near = static_cast<double>(p.local_requests) / static_cast<double>(p.requests);
        const auto llc = static_cast<double>(raw.llc);
        const auto memory = static_cast<double>(raw.memory);
        const auto noc = static_cast<double>(raw.noc);
        const double local = hit * llc + std::min((1 - hit) * llc, memory);
        const double none = near * local + (1 - near) * std::min(noc, local);
        const double behind = near * memory + (1 - near) * std::min(noc, memory);
        const double full = hit * llc + std::min((1 - hit) * llc, behind);
        const ReplicationEstimate e = model.evaluate(p, p, raw);
        ASSERT_LE(static_cast<double>(e.bandwidth_none), none + 1e-6);
        ASSERT_GE(static_cast<double>(e.bandwidth_none), none - 10.0);
        ASSERT_LE(static_cast<double>(e.bandwidth_full), full + 1e-6);
        ASSERT_GE(static_cast<double>(e.bandwidth_full), full - 10.0);
    }
}

TEST(ReplicationModel, RefusesWhatDoesNotFit) {
    EXPECT_THROW(ReplicationModel({25, 24, 24}), ModelError);
    EXPECT_THROW(ReplicationModel({24, 0, 24}), ModelError);
    const ReplicationModel narrow({4, 4, 4});
    EXPECT_NO_THROW(narrow.evaluate({15, 15, 0, 15, 15, 0}, {}, {15, 15, 15}));
    EXPECT_THROW(narrow.evaluate({16, 15, 0, 15, 15, 0}, {}, {15, 15, 15}), ModelError);
    EXPECT_THROW(narrow.evaluate({15, 15, 0, 15, 15, 0}, {}, {15, 16, 15}), ModelError);
    EXPECT_THROW(narrow.evaluate({}, {10, 11, 0, 10, 5, 5}, {1, 1, 1}), ModelError);
    EXPECT_THROW(narrow.evaluate({}, {10, 5, 5, 10, 5, 11}, {1, 1, 1}), ModelError);
}

} // namespace
} // namespace numavp
