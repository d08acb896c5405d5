/// A passage between two clocks by itself: when records go on, at which depths, and that none is lost.
#include <algorithm>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/base/clocks/edges.h"
#include "tests/tlm-links/traffic_ends.h"
#include "tlm-links/edge/clock_crossing.h"
#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

struct Pair {
    std::uint64_t above, below; ///< kHz
    unsigned edges = 1;
};
std::ostream& operator<<(std::ostream& out, const Pair& p) {
    return out << p.above << " to " << p.below << ", " << p.edges;
}

struct Bench {
    Bench(const Pair& pair, unsigned depth)
        : above(clockwork.domain(pair.above)), below(clockwork.domain(pair.below)),
          crossing("crossing", CrossingConfig{pair.edges, depth}, {above, below, Rank{2, kRankCrossing, 0}, Part::noc}),
          sender("sender", above, pool, 0), taker("taker", below, 0) {
        const ProtocolRules upper = ProtocolRules::platform(above, above),
                            lower = ProtocolRules::platform(below, below);
        checks[0] = bind_checked(sender.socket(), crossing.above(), "upper", &upper);
        checks[1] = bind_checked(crossing.below(), taker.socket(), "lower", &lower);
    }
    void run_until(std::uint64_t ps) { sc_core::sc_start(sc_core::sc_time::from_value(ps)); }

    Clockwork clockwork{"clockwork"};
    ClockDomain& above;
    ClockDomain& below;
    TxnPool pool;
    ClockCrossing crossing;
    Sender sender;
    Taker taker;
    std::array<std::unique_ptr<ProtocolChecker>, 2> checks;
};

constexpr std::uint64_t kAll = 100'000'000; // ps, long after everything

class Clocks : public ::testing::TestWithParam<Pair> {};

TEST_P(Clocks, ARecordIsSeenAtTheStatedEdge) {
    const Pair pair = GetParam();
    constexpr unsigned kRecords = 40, kApart = 97; // edges, in phases that differ
    Bench bench(pair, 4);
    for (unsigned i = 0; i < kRecords; ++i) bench.sender.plan({1 + Cycle{i} * kApart, i * 128ULL, 8, 8});
    bench.run_until(kAll);
    ASSERT_EQ(bench.taker.taken.size(), kRecords);
    ASSERT_EQ(bench.sender.answered_at.size(), kRecords);
    const Edges above{pair.above}, below{pair.below};
    for (unsigned i = 0; i < kRecords; ++i) {
        const std::uint64_t arrives = above.ps(2 + std::uint64_t{i} * kApart); // the sender's wire takes an edge
        const std::uint64_t seen = below.after(arrives) + pair.edges;
        EXPECT_EQ(bench.taker.taken[i].at, seen) << "request " << i;
        const std::uint64_t back = above.after(below.ps(seen + 1)) + pair.edges;
        EXPECT_EQ(bench.sender.answered_at[i], back) << "response " << i;
    }
}

TEST_P(Clocks, NothingIsLostOrOvertakenAtTheLeastDepth) {
    constexpr unsigned kRecords = 300;
    Bench bench(GetParam(), 1);
    for (unsigned i = 0; i < kRecords; ++i) bench.sender.plan({1, i * 128ULL, 8, 8});
    bench.taker.close_until(500);
    bench.run_until(kAll);
    ASSERT_EQ(bench.sender.answered.size(), kRecords);
    EXPECT_TRUE(std::is_sorted(bench.sender.answered.begin(), bench.sender.answered.end()));
    EXPECT_EQ(bench.pool.in_flight(), 0U);
    EXPECT_TRUE(bench.crossing.drained());
}

/// A place is given back by the same rule, so that a depth of 1 passes a record in both passages' time.
TEST_P(Clocks, APlaceIsFreeWhenItsReadingHasBeenSeen) {
    const Pair pair = GetParam();
    Bench bench(pair, 1);
    bench.sender.plan({1, 0, 8, 8});
    bench.sender.plan({1, 128, 8, 8});
    bench.run_until(kAll);
    const Edges above{pair.above}, below{pair.below};
    // Read an edge before it is seen below; the place is free at the edge that has seen it, an edge after which is
    // told.
    const std::uint64_t read = below.ps(below.after(above.ps(2)) + pair.edges - 1);
    const std::uint64_t told = above.ps(above.after(read) + pair.edges - 1);
    const std::uint64_t second = below.after(told) + pair.edges;
    ASSERT_EQ(bench.taker.taken.size(), 2U);
    EXPECT_EQ(bench.taker.taken[1].at, second);
}

/// The second of two records goes on when it has come and the place of the first is free, whichever is later: places
/// are taken back when a record comes, and at an edge of their own only for one that waits.
TEST_P(Clocks, ARecordWaitsForThePlaceNoLongerThanItMust) {
    const Pair pair = GetParam();
    constexpr unsigned kPairs = 42, kApart = 97, kLongest = 14; // edges
    Bench bench(pair, 1);
    for (unsigned i = 0; i < kPairs; ++i) {
        const Cycle first = 1 + Cycle{i} * kApart;
        bench.sender.plan({first, i * 256ULL, 8, 8});
        bench.sender.plan({first + i % kLongest, i * 256ULL + 128, 8, 8});
    }
    bench.run_until(kAll);
    ASSERT_EQ(bench.taker.taken.size(), 2 * kPairs);
    const Edges above{pair.above}, below{pair.below};
    for (unsigned i = 0; i < kPairs; ++i) {
        const std::uint64_t arrives = 2 + std::uint64_t{i} * kApart;
        const std::uint64_t read = below.ps(below.after(above.ps(arrives)) + pair.edges - 1);
        const std::uint64_t told = above.after(read) + pair.edges - 1;
        const std::uint64_t goes_on = std::max(arrives + i % kLongest, told);
        EXPECT_EQ(bench.taker.taken[2 * i + 1].at, below.after(above.ps(goes_on)) + pair.edges) << "pair " << i;
    }
}

/// Asks at each edge, after all others, whether the crossing holds anything.
struct Watch final : Arbiter {
    Watch(ClockDomain& clock, const ClockCrossing& watched, Cycle last)
        : Arbiter(clock, {kSystemRank, kRankEdge, 0}), crossing(watched), end(last) {
        wake_at_start();
    }
    void arbitrate() override {
        holds.push_back(!crossing.holding().empty());
        if (domain_.now() < end) wake_at(domain_.now() + 1);
    }
    const ClockCrossing& crossing;
    Cycle end;
    std::vector<bool> holds; ///< from edge 1 on
};

/// A record is inside until it is read, though it is put on the wire before. At an edge that both clocks have, the
/// faster one acts first.
TEST_P(Clocks, HoldsARecordUntilItIsRead) {
    const Pair pair = GetParam();
    constexpr unsigned kRecords = 40, kApart = 97;
    Bench bench(pair, 4);
    const Watch watch(bench.above, bench.crossing, kRecords * kApart);
    for (unsigned i = 0; i < kRecords; ++i) bench.sender.plan({1 + Cycle{i} * kApart, i * 128ULL, 8, 8});
    bench.run_until(kAll);
    const Edges above{pair.above}, below{pair.below};
    for (Cycle edge = 1; edge < kRecords * kApart; ++edge) {
        const std::uint64_t now = above.ps(edge), comes = 2 + edge / kApart * kApart;
        const std::uint64_t seen = below.after(above.ps(comes)) + pair.edges;
        const std::uint64_t read = below.ps(seen - 1), answered = below.ps(seen + 1);
        const bool unread = pair.below > pair.above ? now < read : now <= read;
        const bool request = edge >= comes && unread;
        const bool response = now >= answered && edge < above.after(answered) + pair.edges - 1;
        ASSERT_EQ(watch.holds.at(edge - 1), request || response) << "edge " << edge;
    }
}

/// The default depth holds what 8 records a cycle need over both passages; a deeper synchroniser needs more places.
TEST_P(Clocks, TheDefaultDepthHoldsNothingBack) {
    const Pair pair = GetParam();
    if (pair.edges != CrossingConfig().edges) return;
    constexpr unsigned kRecords = 4000, kACycle = 8;
    Bench bench(pair, CrossingConfig().depth);
    for (unsigned i = 0; i < kRecords; ++i) bench.sender.plan({1 + i / kACycle, i * 128ULL, 8, 8});
    bench.run_until(kAll);
    ASSERT_EQ(bench.taker.taken.size(), kRecords);
    const Edges above{pair.above}, below{pair.below};
    for (unsigned i = 0; i < kRecords; ++i)
        ASSERT_EQ(bench.taker.taken[i].at, below.after(above.ps(2 + i / kACycle)) + pair.edges) << i;
}

INSTANTIATE_TEST_SUITE_P(All, Clocks,
                         ::testing::Values(Pair{1400000, 1250000}, Pair{1250000, 700000}, Pair{700000, 1400000},
                                           Pair{1400000, 700000, 3}, Pair{1000000, 999999}, Pair{1000000, 1000000 * 2}),
                         [](const auto& p) {
                             return std::to_string(p.param.above) + "_" + std::to_string(p.param.below) + "_" +
                                    std::to_string(p.param.edges);
                         });

} // namespace
} // namespace numavp::test
