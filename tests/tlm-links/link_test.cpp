/// A socket's link by itself: order, fairness between sources and kinds, lanes that turn when they are at rest.
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/tlm-links/traffic_ends.h"
#include "tlm-links/link/link.h"
#include "tlm-links/link/turn_set.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

constexpr unsigned kBytes = 16, kLatency = 5;

/// A link of a byte a lane and cycle, with senders at the socket's ports and at the switch.
struct LinkBench {
    explicit LinkBench(LinkConfig config) : clock(clockwork.domain(1'000'000)) {
        config.lane_gbps = 1.0;
        config.latency_cycles = kLatency;
        link = std::make_unique<Link>("link", config, clock, Rank{2, kRankLink, 0});
        for (unsigned i = 0; i < config.sources; ++i) {
            sources.push_back(std::make_unique<Sender>(("source" + std::to_string(i)).c_str(), clock, pool, i));
            sources.back()->socket().bind(link->socket_out(i));
        }
        from_switch = std::make_unique<Sender>("from_switch", clock, pool, 1000);
        from_switch->socket().bind(link->switch_in());
        link->switch_out().bind(to_switch.socket());
        link->socket_in().bind(to_socket.socket());
    }
    void run(Cycle cycles) { sc_core::sc_start(sc_core::sc_time::from_value(clock.edge_ps(cycles))); }

    Clockwork clockwork{"clockwork"};
    ClockDomain& clock;
    TxnPool pool;
    std::unique_ptr<Link> link;
    std::vector<std::unique_ptr<Sender>> sources;
    std::unique_ptr<Sender> from_switch;
    Taker to_switch{"to_switch", clock, 0}, to_socket{"to_socket", clock, 1};
};

class Sources : public ::testing::TestWithParam<unsigned> {};

TEST_P(Sources, TakeTurnsAndKeepTheirOrder) {
    constexpr unsigned kEach = 12;
    LinkConfig config;
    config.sources = GetParam();
    LinkBench bench(config);
    for (auto& source : bench.sources)
        for (unsigned n = 0; n < kEach; ++n) source->plan({0, n * std::uint64_t{kLineBytes}, kBytes, kBytes});
    bench.run(100'000);
    ASSERT_EQ(bench.to_switch.taken.size(), std::size_t{kEach} * config.sources);
    std::vector<unsigned> sent(config.sources, 0);
    for (std::size_t i = 0; i < bench.to_switch.taken.size(); ++i) {
        const Taker::Taken& taken = bench.to_switch.taken[i];
        EXPECT_EQ(taken.line, sent[taken.source] * std::uint64_t{kLineBytes}) << "packets of a source overtake";
        ++sent[taken.source];
        if (i + 1 < config.sources) continue; // all have something from the second packet on
        const auto [fewest, most] = std::minmax_element(sent.begin(), sent.end());
        ASSERT_LE(*most - *fewest, 2U) << "after " << i + 1 << " packets";
    }
    for (const auto& source : bench.sources) EXPECT_EQ(source->answered.size(), kEach);
    EXPECT_EQ(bench.pool.in_flight(), 0U);
}
INSTANTIATE_TEST_SUITE_P(All, Sources, ::testing::Values(1U, 2U, 7U, 64U, 65U, 130U));

/// Requests and responses share a direction by turns: neither waits for all of the other.
TEST(Link, RequestsAndResponsesAlternate) {
    constexpr unsigned kEach = 24;
    LinkBench bench(LinkConfig{});
    for (unsigned n = 0; n < kEach; ++n) {
        bench.sources[0]->plan({0, n * std::uint64_t{kLineBytes}, 64, kBytes});
        bench.from_switch->plan({0, n * std::uint64_t{kLineBytes}, kBytes, 64}); // its responses go out
    }
    bench.run(20'000);
    ASSERT_EQ(bench.to_switch.taken.size(), kEach);
    ASSERT_EQ(bench.from_switch->answered.size(), kEach);
    const Cycle requests_end = bench.to_switch.taken.back().at, responses_end = bench.from_switch->answered_at.back();
    const Cycle whole = std::max(requests_end, responses_end);
    EXPECT_GT(requests_end, whole * 8 / 10);
    EXPECT_GT(responses_end, whole * 8 / 10);
}

/// A lane turns when the packet that it carries a part of has passed, and then takes the switch time.
TEST(Link, ALaneTurnsOnlyWhenItIsAtRest) {
    constexpr unsigned kSample = 200, kSwitch = 10, kLong = 400;
    LinkConfig config;
    config.lanes_out = config.lanes_in = 2;
    config.balancer = LaneBalancerKind::dynamic;
    config.sample_cycles = kSample;
    config.switch_cycles = kSwitch;
    config.queue_depth = 64;
    LinkBench bench(config);
    std::vector<std::pair<Cycle, LaneSplit>> lanes;
    bench.link->on_lanes([&](Cycle at, LaneSplit split) { lanes.emplace_back(at, split); });
    for (unsigned n = 0; n < 60; ++n) bench.sources[0]->plan({0, n * std::uint64_t{kLineBytes}, 16, 0});
    // Begins shortly before the first sample and ends 200 cycles after it began.
    bench.from_switch->plan({kSample - 20, 0, kLong, 0});
    bench.run(1);
    bench.link->launch();
    bench.run(500);
    ASSERT_GE(lanes.size(), 2U);
    const auto& [given_at, given] = lanes[0];
    const auto& [gained_at, gained] = lanes[1];
    EXPECT_EQ(given.in, 1U) << "the lane carries nothing new from the decision on";
    EXPECT_EQ(given.out, 2U);
    EXPECT_EQ(gained.out, 3U);
    ASSERT_EQ(bench.to_socket.taken.size(), 1U);
    const Cycle passed = bench.to_socket.taken[0].at - kLatency;
    ASSERT_GT(passed, given_at) << "the packet was in service when the lane was asked for";
    EXPECT_EQ(gained_at, passed + kSwitch);
}

/// Both directions carry the same packets at the same edges: one stream of errors for both would strike the same ones.
TEST(Link, ErrorsOfItsDirectionsAreTheirOwn) {
    constexpr unsigned kEach = 400;
    LinkConfig config;
    config.errors.bit_error_rate = 1e-4; // a packet of 512 bits in twenty
    LinkBench bench(config);
    std::array<std::vector<Cycle>, 2> struck; // edges, by way
    bench.link->on_errors(
        [&](Cycle at, Cycle, LaneWay way, std::uint64_t) { struck[way == LaneWay::out ? 0 : 1].push_back(at); });
    for (unsigned n = 0; n < kEach; ++n)
        for (Sender* const sender : {bench.sources[0].get(), bench.from_switch.get()})
            sender->plan({0, n * std::uint64_t{kLineBytes}, 64, 64});
    bench.run(100'000);
    ASSERT_EQ(bench.sources[0]->answered.size(), kEach);
    ASSERT_EQ(bench.from_switch->answered.size(), kEach);
    for (const std::vector<Cycle>& way : struck) EXPECT_GT(way.size(), kEach * 2 / 40); // requests and responses
    std::vector<Cycle> both;
    std::set_intersection(struck[0].begin(), struck[0].end(), struck[1].begin(), struck[1].end(),
                          std::back_inserter(both));
    EXPECT_LT(both.size(), struck[0].size() / 2);
}

TEST(TurnSet, AsksFromATurnOnAndAround) {
    TurnSet set(130);
    EXPECT_TRUE(set.empty());
    for (const unsigned member : {3U, 64U, 129U}) set.add(member);
    EXPECT_EQ(set.next(0), 3U);
    EXPECT_EQ(set.next(3), 3U);
    EXPECT_EQ(set.next(4), 64U);
    EXPECT_EQ(set.next(65), 129U);
    set.remove(129);
    EXPECT_EQ(set.next(65), 3U);
    set.remove(3);
    set.remove(64);
    EXPECT_TRUE(set.empty());
}

} // namespace
} // namespace numavp::test
