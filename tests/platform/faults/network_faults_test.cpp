/// Channels between routers with bit errors: replays and throughput against their closed forms, packets that are never
/// lost, doubled or overtaken; and ways around channels that have failed.
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "tests/tlm-links/packet/packet_run.h"
#include "tlm-links/packet/turning_channels.h"
#include "tlm-links/topology/detour.h"
#include "tlm-links/topology/explicit_network.h"
#include "tlm-links/topology/topology.h"

namespace numavp::test {
namespace {

constexpr unsigned kFlitBits = 256;

ChannelErrors errors_of(double rate, unsigned buffer_flits = 0) {
    ChannelErrors errors;
    errors.bit_error_rate = rate;
    errors.flit_bits = kFlitBits;
    errors.buffer_flits = buffer_flits;
    return errors;
}

/// Two routers, with a channel of `latency` cycles that takes a flit in `interval` / 65536 cycles.
Topology two_ends(unsigned latency, std::uint32_t interval) {
    NetworkGraph made;
    for (unsigned n = 0; n < 2; ++n) {
        made.routers.push_back("r" + std::to_string(n));
        made.endpoints.push_back({made.routers.back(), true, n, {}});
        made.attach(n, n, 1);
    }
    made.connect(0, 1, {latency, interval, 0, 0, {}});
    return make_explicit(std::move(made), 4, Place("graph"));
}

struct Sent {
    std::uint64_t flits = 0;
    Cycle cycles = 0;
    RetryCounts counts;
};
/// Sends packets of 8 flits from the first end to the second one as fast as the channel takes them.
Sent saturate(const Topology& ends, const ChannelErrors& errors, unsigned packets) {
    NetworkCoreConfig config;
    config.virtual_channels = 4;
    config.buffer_flits = 512; // no credit is missing
    config.errors = {errors};
    NetworkCore net(ends.graph, *ends.routing, config);
    unsigned offered = 0;
    Sent sent;
    Cycle first = 0;
    while (offered < packets || !net.idle()) {
        for (; offered < packets && net.backlog(0) < 8; ++offered) net.offer({0, 1, 8, 0, 0, offered}, net.now());
        net.step();
        for (const NetworkCore::Arrival& a : net.arrivals()) {
            if (first == 0) first = net.now();
            sent.cycles = net.now() - first;
            net.release(a.packet);
        }
    }
    sent.flits = net.channel_flits(0);
    if (const LossyChannel* lossy = net.lossy_channel(0)) sent.counts = lossy->counts();
    return sent;
}

struct ChannelLoadCase {
    double rate;
    std::uint32_t interval;
    unsigned packets;
};
class ChannelReplays : public ::testing::TestWithParam<ChannelLoadCase> {};

TEST_P(ChannelReplays, AreThoseOfTheClosedForm) {
    const auto [rate, interval, packets] = GetParam();
    constexpr unsigned kLatency = 20;
    const Sent sent = saturate(two_ends(kLatency, interval), errors_of(rate), packets);
    const double wrong = -std::expm1(kFlitBits * std::log1p(-rate)), each = wrong / (1 - wrong);
    const auto flits = static_cast<double>(sent.flits), errors = static_cast<double>(sent.counts.errors);
    EXPECT_EQ(sent.flits, packets * 8U) << "each flit is carried once";
    EXPECT_GE(errors, 2500.0);
    EXPECT_NEAR(errors, flits * each, 3 * std::sqrt(flits * wrong) / (1 - wrong));
    const double cycles = static_cast<double>(interval) / NetworkChannel::kCycle;
    const double loss = 1 - cycles / (cycles + each * (cycles + 2 * kLatency));
    const double seen = 1 - (flits - 8) * cycles / static_cast<double>(sent.cycles);
    EXPECT_NEAR(seen, loss, 0.02 * loss);
}
INSTANTIATE_TEST_SUITE_P(All, ChannelReplays,
                         ::testing::Values(ChannelLoadCase{1e-4, 65536, 60000}, ChannelLoadCase{1e-5, 65536, 400000},
                                           ChannelLoadCase{1e-4, 2 * 65536, 60000}));

/// At a rate at which nothing happens each packet arrives in the cycle in which it would without.
TEST(ChannelErrors, ThatNeverComeTakeNoTime) {
    for (const std::uint32_t interval : {65536U, 98304U, 183501U}) {
        const Topology ends = two_ends(7, interval);
        const Sent plain = saturate(ends, {}, 3000), never = saturate(ends, errors_of(1e-18), 3000);
        EXPECT_EQ(plain.cycles, never.cycles) << interval;
        EXPECT_EQ(never.counts.errors + never.counts.stall_cycles, 0U);
    }
}

/// A packet of one flit that is alone arrives its own cycle and a round trip later for each of its errors.
TEST(ChannelErrors, EachOneTakesARoundTrip) {
    constexpr unsigned kLatency = 9, kPackets = 2000;
    const Topology ends = two_ends(kLatency, 65536);
    NetworkCoreConfig config;
    config.virtual_channels = 4;
    config.errors = {errors_of(1e-3)};
    NetworkCore net(ends.graph, *ends.routing, config);
    std::uint64_t late = 0;
    for (unsigned n = 0; n < kPackets; ++n) {
        const Cycle offered = net.now();
        net.offer({0, 1, 1, 0, 0, n}, offered);
        while (!net.idle()) {
            net.step();
            for (const NetworkCore::Arrival& a : net.arrivals()) {
                const Cycle took = net.now() - offered, alone = 2 + 1 + 2 * RouterCore::kStages + kLatency + 1;
                ASSERT_GE(took, alone);
                ASSERT_EQ((took - alone) % (2 * kLatency + 1), 0U) << "packet " << n;
                late += (took - alone) / (2 * kLatency + 1);
                net.release(a.packet);
            }
        }
    }
    EXPECT_GT(late, kPackets / 5U);
    EXPECT_EQ(late, net.lossy_channel(0)->counts().errors);
}

/// The flits of a channel, by their number, that had errors.
using Struck = std::vector<std::set<std::uint64_t>>;
/// Packets of one flit go both ways between two routers until the first channel has carried `flits`.
Struck struck_flits(const Topology& ends, const std::vector<ChannelErrors>& errors, std::uint64_t flits) {
    NetworkCoreConfig config;
    config.virtual_channels = 4;
    config.buffer_flits = 64;
    config.errors = errors;
    NetworkCore net(ends.graph, *ends.routing, config);
    Struck struck(ends.graph.channels.size());
    const auto terminals = static_cast<unsigned>(ends.graph.terminals.size());
    while (net.channel_flits(0) < flits) {
        for (unsigned t = 0; t < terminals; ++t)
            while (net.backlog(t) < 4) net.offer({t, (t + terminals / 2) % terminals, 1, 0, 0, 0}, net.now());
        net.step();
        for (const FlitReplay& replay : net.replays()) struck[replay.channel].insert(net.channel_flits(replay.channel));
        for (const NetworkCore::Arrival& a : net.arrivals()) net.release(a.packet);
    }
    return struck;
}

/// Two routers with two terminals each and two channels each way, of these kinds.
Topology two_parallel(unsigned first_kind, unsigned second_kind) {
    NetworkGraph made;
    for (unsigned n = 0; n < 4; ++n) {
        if (n % 2 == 0) made.routers.push_back("r" + std::to_string(n / 2));
        made.endpoints.push_back({"end" + std::to_string(n), true, n, {}});
        made.attach(n, n / 2, 1);
    }
    for (const unsigned kind : {first_kind, second_kind}) made.connect(0, 1, {4, NetworkChannel::kCycle, kind, 0, {}});
    return make_explicit(std::move(made), 4, Place("graph"));
}

/// Channels are wires of their own, parallel ones and the two directions too: of n flits as many have errors on both of
/// two channels as chance has it, n w^2 with a chance of w.
TEST(ChannelErrors, OfParallelChannelsAndDirectionsAreIndependent) {
    constexpr double kRate = 1e-3, kFlits = 4000;
    const double wrong = -std::expm1(kFlitBits * std::log1p(-kRate)), both = kFlits * wrong * wrong;
    const Struck struck =
        struck_flits(two_parallel(0, 0), {errors_of(kRate)}, static_cast<std::uint64_t>(kFlits * 1.5));
    ASSERT_EQ(struck.size(), 4U);
    for (std::size_t a = 0; a < struck.size(); ++a) {
        EXPECT_GT(static_cast<double>(struck[a].size()), kFlits * wrong) << "channel " << a << " is in use";
        for (std::size_t b = 0; b < a; ++b) {
            const auto common = std::count_if(struck[a].begin(), struck[a].end(), [&](std::uint64_t flit) {
                return flit <= static_cast<std::uint64_t>(kFlits) && struck[b].count(flit) != 0;
            });
            EXPECT_NEAR(static_cast<double>(common), both, 4 * std::sqrt(both)) << "channels " << a << " and " << b;
        }
    }
}

/// The second of two lossy kinds has the rate and the seed that it was given.
TEST(ChannelErrors, AreThoseOfTheChannelsKind) {
    constexpr std::uint64_t kFlits = 4000;
    const auto share = [](const std::set<std::uint64_t>& struck) {
        return static_cast<double>(std::distance(struck.begin(), struck.upper_bound(kFlits / 2))) * 2 / kFlits;
    };
    const ChannelErrors often = errors_of(1e-3), seldom = errors_of(1e-4);
    const Struck struck = struck_flits(two_parallel(0, 1), {seldom, often}, kFlits);
    for (const unsigned way : {0U, 1U}) {
        EXPECT_NEAR(share(struck[way]), -std::expm1(kFlitBits * std::log1p(-1e-4)), 0.012);
        EXPECT_NEAR(share(struck[2 + way]), -std::expm1(kFlitBits * std::log1p(-1e-3)), 0.04);
    }
    ChannelErrors other = often;
    other.seed = 2;
    const Struck again = struck_flits(two_parallel(0, 1), {seldom, other}, kFlits);
    const auto begin = [](const std::set<std::uint64_t>& all) {
        return std::vector<std::uint64_t>(all.begin(), std::next(all.begin(), 20));
    };
    EXPECT_EQ(begin(again[0]), begin(struck[0])) << "the first kind has kept its seed";
    EXPECT_NE(begin(again[2]), begin(struck[2]));
}

TEST(ChannelErrors, AShortRetryBufferBoundsTheThroughput) {
    const Sent sent = saturate(two_ends(20, 65536), errors_of(1e-18, 10), 2000);
    // 10 flits in 41 cycles: the first one's own, and a round trip.
    EXPECT_NEAR(static_cast<double>(sent.cycles), static_cast<double>(sent.flits) * 41 / 10, 100.0);
    EXPECT_NEAR(static_cast<double>(sent.counts.stall_cycles), static_cast<double>(sent.cycles) * 31 / 41, 100.0);
}

Topology nodes(TopologyKind kind, std::vector<unsigned> dimensions, unsigned vcs) {
    TopologySpec spec;
    spec.topology = kind;
    spec.dimensions = std::move(dimensions);
    spec.virtual_channels = vcs;
    return make_topology(spec, Place("network"));
}

NetworkCoreConfig core_of(double rate, unsigned buffer_flits) {
    NetworkCoreConfig config;
    config.virtual_channels = 4;
    config.buffer_flits = 16;
    if (rate > 0) config.errors = {errors_of(rate, buffer_flits)};
    return config;
}

TEST(ChannelErrors, LoseDoubleAndOvertakeNoPacket) {
    for (const double rate : {3e-3, 1e-4})
        for (const unsigned buffer : {0U, 3U}) {
            for (const Topology& made :
                 {nodes(TopologyKind::torus, {3, 3}, 4), nodes(TopologyKind::flattened_butterfly, {2, 2}, 4)}) {
                PacketRunSpec spec;
                spec.classes = 2;
                spec.keys = 5;
                EXPECT_EQ(run_packets(made.graph, *made.routing, core_of(rate, buffer), spec), "")
                    << rate << ' ' << buffer;
                spec.hot = true;
                spec.packets = 500;
                EXPECT_EQ(run_packets(made.graph, *made.routing, core_of(rate, buffer), spec), "")
                    << rate << ' ' << buffer << " hot";
            }
        }
}

// --- lanes of channels

/// Two routers and a channel of four lanes each way, which carry a flit in 4 cycles together and in 16 alone. The first
/// `senders` of the two ends always have packets to send.
struct LanesBetweenTwo {
    static constexpr unsigned kLanes = 4;
    static constexpr Cycle kSample = 1000;

    explicit LanesBetweenTwo(double rate = 0, LaneBalancerKind balancer = LaneBalancerKind::fixed, unsigned senders = 2)
        : net(ends.graph, *ends.routing, core_config(rate)), channels(net, ends.graph, {lanes_config(balancer)}),
          due(channels.launch(0)), senders_(senders) {}

    Topology ends = two_ends(3, kLanes* NetworkChannel::kCycle);
    NetworkCore net;
    TurningChannels channels;
    Cycle due;

    void run_to(Cycle end) {
        while (net.now() < end) {
            for (unsigned t = 0; t < senders_; ++t)
                while (net.backlog(t) < 4) net.offer({t, 1 - t, 8, 0, 0, 0}, net.now());
            net.step();
            for (const NetworkCore::Arrival& a : net.arrivals()) net.release(a.packet);
            if (net.now() > due) due = channels.act(net.now());
        }
    }
    void retire(Cycle at, Cycle rest) {
        channels.retire(0, at, rest);
        due = std::min(due, net.now());
    }

  private:
    static NetworkCoreConfig core_config(double rate) {
        NetworkCoreConfig config;
        config.virtual_channels = 4;
        config.buffer_flits = 64;
        config.errors = {errors_of(rate)};
        config.errors[0].retires = true;
        return config;
    }
    static ChannelLanes lanes_config(LaneBalancerKind balancer) {
        ChannelLanes kind;
        kind.turner.wired = {kLanes, kLanes};
        kind.turner.balancer = balancer;
        kind.turner.sample_cycles = kSample;
        kind.turner.switch_cycles = 50;
        return kind;
    }
    unsigned senders_;
};

/// What is left is carried to the flit.
TEST(RetiredChannelLanes, LeaveTheBandwidthOfTheOthers) {
    constexpr Cycle kSpan = 16000, kRest = 500;
    LanesBetweenTwo two;
    NetworkCore& net = two.net;
    two.run_to(1000);
    for (unsigned lanes = LanesBetweenTwo::kLanes; lanes >= 1; --lanes) {
        EXPECT_EQ(two.channels.lanes(0), lanes);
        EXPECT_EQ(two.channels.lanes(1), LanesBetweenTwo::kLanes) << "the other direction keeps its own";
        const std::uint64_t flits = net.channel_flits(0), back = net.channel_flits(1);
        const std::uint64_t slots = two.channels.lane_cycles(0, net.now());
        two.run_to(net.now() + kSpan);
        EXPECT_EQ(two.channels.lane_cycles(0, net.now()) - slots, kSpan * lanes);
        EXPECT_NEAR(static_cast<double>(net.channel_flits(0) - flits), static_cast<double>(kSpan * lanes) / 16.0, 1.0);
        EXPECT_NEAR(static_cast<double>(net.channel_flits(1) - back), static_cast<double>(kSpan) / 4.0, 1.0);
        two.retire(net.now() + 1, kRest);
        const std::uint64_t before = net.channel_flits(0);
        two.run_to(net.now() + kRest);
        if (lanes > 1) {
            EXPECT_LE(net.channel_flits(0) - before, 2U) << "it rests while it goes over to fewer";
        }
        two.run_to(net.now() + 1000);
    }
    EXPECT_EQ(two.channels.retired(), LanesBetweenTwo::kLanes - 1) << "the last lane stays";
}

/// A channel rests once, however many lanes it loses at a time: behind that rest it carries what its other lanes can.
TEST(RetiredChannelLanes, RestOnceForAllThatAreLostTogether) {
    constexpr Cycle kLostAt = 100, kRest = 4000;
    for (unsigned lost = 1; lost < LanesBetweenTwo::kLanes; ++lost) {
        LanesBetweenTwo two;
        for (unsigned lane = 0; lane < lost; ++lane) two.retire(kLostAt, kRest);
        two.run_to(kLostAt + kRest);
        const std::uint64_t before = two.net.channel_flits(0);
        two.run_to(kLostAt + 2 * kRest);
        const unsigned left = LanesBetweenTwo::kLanes - lost;
        EXPECT_NEAR(static_cast<double>(two.net.channel_flits(0) - before), static_cast<double>(kRest * left) / 16.0,
                    4.0);
    }
}

/// One lane of four is left. Each flit takes its 16 cycles, and for each of its errors, w / (1 - w) in the mean, its 16
/// cycles and a round trip of 6 again: a flit that is sent again goes no faster than one that is sent first.
TEST(RetiredChannelLanes, SendFlitsAgainAsFastAsTheOthersCan) {
    constexpr double kRate = 1e-3;
    constexpr Cycle kSpan = 100000;
    LanesBetweenTwo two(kRate);
    for (unsigned lane = 1; lane < LanesBetweenTwo::kLanes; ++lane) two.retire(10, 0);
    two.run_to(1000);
    ASSERT_EQ(two.channels.lanes(0), 1U);
    const std::uint64_t before = two.net.channel_flits(0), back = two.net.channel_flits(1);
    two.run_to(1000 + kSpan);
    const double wrong = -std::expm1(kFlitBits * std::log1p(-kRate)), each = wrong / (1 - wrong);
    const double one = kSpan / (16 + each * (16 + 6)), whole = kSpan / (4 + each * (4 + 6));
    EXPECT_NEAR(static_cast<double>(two.net.channel_flits(0) - before), one, 0.04 * one);
    EXPECT_NEAR(static_cast<double>(two.net.channel_flits(1) - back), whole, 0.04 * whole) << "it has its four";
}

/// Lanes that turn to a channel with errors carry as many flits as those of a channel without.
TEST(TurnedChannelLanes, CarryMoreFlitsOfAChannelWithErrors) {
    LanesBetweenTwo plain(0, LaneBalancerKind::dynamic, 1), lossy(1e-18, LaneBalancerKind::dynamic, 1);
    for (LanesBetweenTwo* two : {&plain, &lossy}) two->run_to(6 * LanesBetweenTwo::kSample);
    ASSERT_EQ(lossy.channels.lanes(0), 2 * LanesBetweenTwo::kLanes - 1);
    const std::uint64_t before = lossy.net.channel_flits(0), of_plain = plain.net.channel_flits(0);
    EXPECT_NEAR(static_cast<double>(before), static_cast<double>(of_plain), 10.0);
    for (LanesBetweenTwo* two : {&plain, &lossy}) two->run_to(14 * LanesBetweenTwo::kSample);
    const double seven = 8 * LanesBetweenTwo::kSample * 7 / 16.0; // flits of seven lanes
    EXPECT_NEAR(static_cast<double>(lossy.net.channel_flits(0) - before), seven, 2.0);
    EXPECT_NEAR(static_cast<double>(plain.net.channel_flits(0) - of_plain), seven, 2.0);
}

// --- ways around what has failed

std::vector<bool> failing(const NetworkGraph& graph, const std::vector<std::pair<unsigned, unsigned>>& ends) {
    std::vector<bool> failed(graph.channels.size(), false);
    for (const auto& [from, to] : ends)
        for (unsigned c = 0; c < graph.channels.size(); ++c)
            if (graph.channels[c].from == from && graph.channels[c].to == to)
                failed[c] = failed[graph.channels[c].reverse] = true;
    return failed;
}

/// Packets of flows, half of them before the channels fail. What went wrong, in words; empty if nothing did.
std::string run_failing(const Topology& made, const std::vector<bool>& failed, double rate, std::uint64_t seed) {
    std::string missing;
    const std::shared_ptr<const Routing> detour = make_detour(made.graph, failed, 3, missing);
    if (!detour) return "no way " + missing;
    constexpr unsigned kPackets = 3000;
    NetworkCore net(made.graph, *made.routing, core_of(rate, 0));
    Rng rng(seed, 3);
    std::vector<unsigned> arrived(kPackets, 0);
    std::map<std::tuple<unsigned, unsigned, unsigned>, std::uint64_t> last;
    unsigned offered = 0, out = 0, before = 0;
    std::uint64_t at_drain = 0;
    const auto carried = [&] {
        std::uint64_t sum = 0;
        for (unsigned c = 0; c < failed.size(); ++c) sum += failed[c] ? net.channel_flits(c) : 0;
        return sum;
    };
    const auto terminals = made.graph.terminals.size();
    for (Cycle quiet = 0; out < kPackets; ++quiet) {
        if (quiet > 20000) return "stuck; " + net.circle();
        for (unsigned i = 0; i < 2 && offered < kPackets && rng.below(3) == 0; ++i, ++offered)
            net.offer({static_cast<unsigned>(rng.below(terminals)), static_cast<unsigned>(rng.below(terminals)),
                       1 + static_cast<unsigned>(rng.below(8)), 0, 1 + static_cast<unsigned>(rng.below(3)), offered},
                      net.now());
        if (offered >= kPackets / 2 && before == 0) {
            before = offered;
            net.reroute(*detour);
        }
        net.step();
        for (const NetworkCore::Arrival& a : net.arrivals()) {
            const NetworkCore::Packet p = net.packet(a.packet);
            if (++arrived[p.tag] != 1) return "packet " + std::to_string(p.tag) + " arrived twice";
            std::uint64_t& tag = last[{p.source, p.target, p.order}];
            if (p.tag < tag) return "packet " + std::to_string(p.tag) + " was overtaken";
            tag = p.tag;
            quiet = 0;
            ++out;
            if (!p.detours) at_drain = carried(); // the last of those that were inside
            if (!p.detours && before != 0 && p.tag >= before) return "a packet entered on the ways of before";
            net.release(a.packet);
        }
    }
    if (at_drain == 0) return "the channels carried nothing before they failed";
    return carried() == at_drain ? "" : "a channel that had failed carried flits";
}

TEST(Detours, KeepAllPacketsAndTheirOrder) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        for (const double rate : {0.0, 1e-3}) {
            const Topology torus = nodes(TopologyKind::torus, {4, 4}, 3);
            EXPECT_EQ(run_failing(torus, failing(torus.graph, {{0, 1}, {5, 9}, {10, 11}}), rate, seed), "");
            const Topology ring = nodes(TopologyKind::ring, {6}, 3);
            EXPECT_EQ(run_failing(ring, failing(ring.graph, {{2, 3}}), rate, seed), "");
            const Topology full = nodes(TopologyKind::flattened_butterfly, {4}, 3);
            EXPECT_EQ(run_failing(full, failing(full.graph, {{0, 1}, {0, 2}}), rate, seed), "");
        }
}

TEST(Detours, AreMissingWhereNoWayIsLeft) {
    std::string missing;
    const Topology ring = nodes(TopologyKind::ring, {4}, 3);
    EXPECT_EQ(make_detour(ring.graph, failing(ring.graph, {{0, 1}, {2, 3}}), 3, missing), nullptr);
    EXPECT_EQ(missing, "from node[0] to node[1]");
}

} // namespace
} // namespace numavp::test
