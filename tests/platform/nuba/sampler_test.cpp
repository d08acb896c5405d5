/// Set sampling: shadows of some sets of a slice against whole caches with and without replicas.
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
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

std::vector<std::uint64_t> all_of(const ReplicationLoads& l) {
    return {l.looked_up, l.from_memory, l.fetched, l.served};
}

/// One epoch of a kernel in which two partitions read a line of each other's twice, and one line of their own.
void note_epoch(ReplicationSampler& sampler, bool replicas_answer) {
    constexpr std::uint64_t kHere = 0, kThere = kLineBytes, kPrivate = 2 * kLineBytes;
    for (unsigned time = 0; time < 2; ++time) {
        sampler.note(1 + 10 * time, 0, {kPrivate, true, false, false});
        sampler.note(2 + 10 * time, 0, {kThere, true, true, true});
        if (time == 0 || !replicas_answer) sampler.note(3 + 10 * time, 1, {kHere, false, false, true});
    }
}

// Without replicas each of the other's requests goes over the network; with them every second one, which both sides
// know from their own replicas.
TEST(ReplicationSampler, LoadsAreThoseOfBothSides) {
    const TagArray slice(4, 4, false);
    ReplicationSampler sampler(slice, 4, true);
    note_epoch(sampler, false);
    ReplicationSampler::Profiles counted = sampler.take();
    EXPECT_EQ(all_of(counted.loads_none), (std::vector<std::uint64_t>{4, 2, 2, 2}));
    EXPECT_EQ(all_of(counted.loads_full), (std::vector<std::uint64_t>{6, 2, 1, 2}))
        << "the other's misses are not known yet";
    sampler.clear();
    note_epoch(sampler, false);
    counted = sampler.take();
    EXPECT_EQ(all_of(counted.loads_none), (std::vector<std::uint64_t>{4, 2, 2, 2}));
    EXPECT_EQ(all_of(counted.loads_full), (std::vector<std::uint64_t>{5, 2, 1, 1}));
    sampler.clear();
    sampler.set_replicates(true);
    note_epoch(sampler, true);
    counted = sampler.take();
    EXPECT_EQ(all_of(counted.loads_none), (std::vector<std::uint64_t>{4, 2, 2, 2})) << "what replicas answered counts";
    EXPECT_EQ(all_of(counted.loads_full), (std::vector<std::uint64_t>{5, 2, 1, 1}));
}

TEST(ReplicationSampler, LinesWithoutReplicasGoOverTheNetworkEitherWay) {
    const TagArray slice(4, 4, false);
    ReplicationSampler sampler(slice, 4, true);
    for (Cycle edge = 1; edge < 6; ++edge) {
        sampler.note(edge, 0, {kLineBytes, true, true, false});
        sampler.note(edge, 1, {0, false, false, false});
    }
    const ReplicationSampler::Profiles counted = sampler.take();
    EXPECT_EQ(all_of(counted.loads_none), (std::vector<std::uint64_t>{5, 1, 5, 5}));
    EXPECT_EQ(all_of(counted.loads_full), all_of(counted.loads_none));
}

TEST(BusiestResource, AllowsTheLeast) {
    constexpr ReplicationBandwidths kBandwidths{800, 200, 400};
    const auto none = [&](const ReplicationLoads& loads) {
        return busiest_resource(100, loads, {}, kBandwidths).bandwidth_none;
    };
    EXPECT_EQ(none({100, 0, 0, 0}), 800U);
    EXPECT_EQ(none({160, 0, 0, 0}), 500U);
    EXPECT_EQ(none({100, 50, 0, 0}), 400U);
    EXPECT_EQ(none({100, 50, 80, 0}), 400U);
    EXPECT_EQ(none({100, 50, 0, 125}), 320U);
    EXPECT_EQ(none({100, 100, 100, 100}), 200U);
    EXPECT_EQ(busiest_resource(0, {}, {}, kBandwidths).bandwidth_full, 0U);
}

TEST(BusiestResource, ReplicatesForMoreAlone) {
    constexpr ReplicationBandwidths kBandwidths{800, 200, 400};
    const ReplicationLoads ports{100, 10, 100, 100}, memory{100, 60, 10, 10};
    EXPECT_FALSE(busiest_resource(100, ports, ports, kBandwidths).replicate);
    EXPECT_FALSE(busiest_resource(100, ports, memory, kBandwidths).replicate) << "333 for 400";
    EXPECT_TRUE(busiest_resource(100, memory, ports, kBandwidths).replicate);
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
