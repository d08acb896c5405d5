/// Routers that are switches with a common buffer: an input sends to several outputs at once, and traffic from all
/// sides to all others fills the channels, as in the closed form.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "one_router.h"
#include "packet_run.h"
#include "tlm-links/topology/topology.h"

namespace numavp::test {
namespace {

TEST(NonBlocking, AnInputSendsToTwoOutputsInOneCycle) {
    for (const bool non_blocking : {false, true}) {
        OneRouter r(3, 2, 32);
        if (non_blocking) r.core().make_non_blocking();
        r.packet(0, 0, {1, 0b01}, 12);
        r.packet(0, 1, {2, 0b01}, 12);
        const std::vector<Left> left = r.run(60, true);
        ASSERT_EQ(left.size(), 24U);
        EXPECT_EQ(left.back().cycle, non_blocking ? 13U : 25U) << "12 or 24 cycles of the switch, the first in cycle 2";
    }
}

TEST(NonBlocking, AnOutputStillTakesOneFlitACycle) {
    OneRouter r(3, 2, 16);
    r.core().make_non_blocking();
    r.packet(0, 0, {2, 0b11}, 8);
    r.packet(1, 0, {2, 0b11}, 8);
    const std::vector<Left> left = r.run(40);
    ASSERT_EQ(left.size(), 16U);
    for (std::size_t i = 1; i < left.size(); ++i) EXPECT_EQ(left[i].cycle, left[i - 1].cycle + 1) << i;
}

constexpr unsigned kHub = 0;

Topology star(bool non_blocking) {
    TopologySpec spec;
    spec.topology = TopologyKind::star;
    spec.dimensions = {5};
    Topology topology = make_topology(spec, "test");
    if (non_blocking) topology.graph.non_blocking = {kHub};
    return topology;
}

/// Share of their capacity that the switch's channels carry while each of 5 devices always has packets of 9 flits for
/// each of the 4 others: for the next device, the one behind it and so on, or in a random order.
double share_of_all_to_all(bool non_blocking, bool shuffled) {
    const Topology topology = star(non_blocking);
    NetworkCoreConfig config;
    NetworkCore net(topology.graph, *topology.routing, config);
    Rng rng(1, 3);
    constexpr unsigned kDevices = 5, kFlitsAPacket = 9, kPackets = 500, kFrom = 1000, kTo = 13000;
    for (unsigned source = 0; source < kDevices; ++source) {
        std::vector<unsigned> targets;
        for (unsigned round = 0; round < kPackets; ++round)
            for (unsigned step = 1; step < kDevices; ++step) targets.push_back((source + step) % kDevices);
        for (std::size_t i = targets.size(); i > 1 && shuffled; --i) std::swap(targets[i - 1], targets[rng.below(i)]);
        for (const unsigned target : targets) net.offer({source, target, kFlitsAPacket}, 0);
    }
    const auto carried = [&] {
        std::uint64_t flits = 0;
        for (unsigned c = 0; c < topology.graph.channels.size(); ++c)
            if (topology.graph.channels[c].from == kHub) flits += net.channel_flits(c);
        return flits;
    };
    std::uint64_t before = 0;
    while (net.now() < kTo) {
        if (net.now() == kFrom) before = carried();
        net.step();
        for (const NetworkCore::Arrival& a : net.arrivals()) net.release(a.packet);
    }
    for (unsigned source = 0; source < kDevices; ++source)
        EXPECT_GT(net.backlog(source), 0U) << "it has nothing to send";
    const double share = static_cast<double>(carried() - before) / (double{kDevices} * (kTo - kFrom));
    ::testing::Test::RecordProperty(std::string("share_") + (non_blocking ? "switch_" : "router_") +
                                        (shuffled ? "random" : "in_turn"),
                                    std::to_string(share));
    return share;
}

/// The closed form is 1: each channel carries a flit a cycle, whatever the inputs want. In a random order several
/// devices want one output for a while, and behind them the terminals' queues keep their order.
TEST(NonBlocking, AllToAllFillsTheChannels) {
    EXPECT_GE(share_of_all_to_all(true, false), 0.98);
    EXPECT_GE(share_of_all_to_all(true, true), 0.9);
    EXPECT_LE(share_of_all_to_all(false, true), 0.8) << "one grant an input and cycle";
}

/// With buffers of few flits, and all to one: credits of many outputs come back in one cycle, and none is lost.
TEST(NonBlocking, EveryPacketArrivesOnce) {
    const Topology topology = star(true);
    for (const unsigned buffer : {1U, 4U, 32U})
        for (const bool hot : {false, true}) {
            NetworkCoreConfig config;
            config.buffer_flits = buffer;
            PacketRunSpec spec{1000, 2, 9, buffer, 0, 5};
            spec.hot = hot;
            EXPECT_EQ(run_packets(topology.graph, *topology.routing, config, spec), "") << buffer;
        }
}

} // namespace
} // namespace numavp::test
