/// Set sampling: shadows of some sets of a slice against whole caches with and without replicas.
#include <gtest/gtest.h>

#include "models/base/rng.h"
#include "models/cache/replication_sampler.h"

namespace numavp::test {
namespace {

using Request = ReplicationSampler::Request;

/// A whole cache that takes a line and answers whether it had it.
bool take(TagArray& cache, std::uint64_t line) {
    const int frame = cache.find(line);
    if (frame >= 0) {
        cache.touch(static_cast<unsigned>(frame));
        return true;
    }
    const auto victim = static_cast<unsigned>(cache.victim(line, {}));
    cache.install(victim, line, false, SectorSet::all());
    cache.touch(victim);
    return false;
}

TEST(ReplicationSampler, CountsWhatWholeCachesDo) {
    constexpr unsigned kSets = 48, kWays = 16, kSampled = 8;
    TagArray slice(kSets, kWays, false), none(kSets, kWays, false), full(kSets, kWays, false);
    ReplicationSampler sampler(slice, kSampled);
    ReplicationSampler::Profiles right;
    Rng rng(3, 9);
    for (Cycle edge = 1; edge < 40000; ++edge) {
        Request r;
        r.line = rng.below(1500) * kLineBytes;
        r.own = rng.below(4) != 0;
        r.remote = r.own && r.line / kLineBytes % 3 != 0;
        r.replicable = r.remote && r.line / kLineBytes % 3 == 1;
        if (!sampler.samples(r.line)) continue;
        sampler.note(edge, 0, r);
        const auto count = [&](ReplicationProfile& p, TagArray& cache, bool looked_up) {
            if (r.own) ++p.requests;
            if (r.own) ++(r.remote ? p.remote_requests : p.local_requests);
            if (!looked_up) return;
            ++p.lookups;
            ++(take(cache, r.line) ? p.hits : p.misses);
        };
        count(right.none, none, !r.remote);
        count(right.full, full, !r.remote || r.replicable);
    }
    const ReplicationSampler::Profiles counted = sampler.take();
    const auto all = [](const ReplicationProfile& p) {
        return std::vector{p.lookups, p.hits, p.misses, p.requests, p.local_requests, p.remote_requests};
    };
    EXPECT_EQ(all(counted.none), all(right.none));
    EXPECT_EQ(all(counted.full), all(right.full));
    EXPECT_GT(right.none.requests, 3000U);
    EXPECT_GT(right.full.lookups, right.none.lookups);
    EXPECT_EQ(sampler.take().none.requests, 0U);
}

// Ports stand for wires whose deliveries of one edge may come in any order.
TEST(ReplicationSampler, DoesNotDependOnTheOrderOfPortsInAnEdge) {
    TagArray slice(4, 2, false);
    ReplicationSampler there(slice, 4), back(slice, 4);
    Rng rng(5, 1);
    for (Cycle edge = 1; edge < 2000; ++edge) {
        const std::uint64_t a = rng.below(40) * kLineBytes, b = rng.below(40) * kLineBytes;
        const bool remote = rng.below(2) == 0;
        there.note(edge, 0, {a, true, false, false});
        there.note(edge, 1, {b, true, remote, remote});
        back.note(edge, 1, {b, true, remote, remote});
        back.note(edge, 0, {a, true, false, false});
    }
    const ReplicationSampler::Profiles one = there.take(), other = back.take();
    EXPECT_EQ(one.none.hits, other.none.hits);
    EXPECT_EQ(one.full.hits, other.full.hits);
    EXPECT_GT(one.full.lookups, one.none.lookups);
}

TEST(ReplicationSampler, ForgetsItsLinesAtAFlush) {
    TagArray slice(4, 2, false);
    ReplicationSampler sampler(slice, 4);
    sampler.note(1, 0, {0, true, false, false});
    sampler.note(2, 0, {0, true, false, false});
    sampler.clear();
    sampler.note(3, 0, {0, true, false, false});
    const ReplicationProfile counted = sampler.take().none;
    EXPECT_EQ(counted.hits, 1U);
    EXPECT_EQ(counted.misses, 2U);
}

} // namespace
} // namespace numavp::test
