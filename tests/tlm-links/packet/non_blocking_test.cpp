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

Topology star(bool non_blocking) {
    TopologySpec spec;
    spec.topology = TopologyKind::star;
    spec.dimensions = {5};
    Topology topology = make_topology(spec, "test");
    const auto hub = static_cast<unsigned>(topology.graph.routers.size() - 1);
    if (non_blocking) topology.graph.non_blocking = {hub};
    return topology;
}

/// Cycles in which 5 devices send `packets` packets of 9 flits to each of the 4 others, in a random order.
std::uint64_t cycles_of_all_to_all(bool non_blocking, unsigned packets) {
    const Topology topology = star(non_blocking);
    NetworkCoreConfig config;
    config.classes = 1;
    NetworkCore net(topology.graph, *topology.routing, config);
    Rng rng(1, 3);
    constexpr unsigned kDevices = 5, kFlits = 9;
    for (unsigned source = 0; source < kDevices; ++source) {
        std::vector<unsigned> targets;
        for (unsigned target = 0; target < kDevices; ++target)
            if (target != source) targets.insert(targets.end(), packets, target);
        for (std::size_t i = targets.size(); i > 1; --i) std::swap(targets[i - 1], targets[rng.below(i)]);
        for (const unsigned target : targets) net.offer({source, target, kFlits}, 0);
    }
    unsigned arrived = 0;
    for (std::uint64_t quiet = 0; !net.idle() && quiet < 20000; ++quiet) {
        net.step();
        for (const NetworkCore::Arrival& a : net.arrivals()) {
            ++arrived;
            quiet = 0;
            net.release(a.packet);
        }
    }
    EXPECT_EQ(arrived, 4 * packets * kDevices);
    return net.now();
}

/// Each channel of the switch carries 4 x 500 packets of 9 flits, a flit a cycle: 18,000 cycles and the way through.
TEST(NonBlocking, AllToAllFillsTheChannels) {
    constexpr unsigned kPackets = 500;
    constexpr double kClosedForm = 4.0 * kPackets * 9;
    const auto blocking = static_cast<double>(cycles_of_all_to_all(false, kPackets));
    const auto non_blocking = static_cast<double>(cycles_of_all_to_all(true, kPackets));
    EXPECT_GE(non_blocking, kClosedForm);
    EXPECT_LE(non_blocking, 1.06 * kClosedForm);
    EXPECT_GE(blocking, 1.2 * kClosedForm) << "one grant an input and cycle";
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
