/// A packet that meets nobody, between all endpoints of all networks: the closed form to the cycle.
#include <utility>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "named_networks.h"
#include "platform/network/traffic.h"

namespace numavp::test {
namespace {

class IdleLatency : public ::testing::TestWithParam<std::string> {};

TEST_P(IdleLatency, IsTheClosedFormForEveryPair) {
    const NetworkSystem system = network(GetParam());
    const NetworkGraph& graph = system.topology.graph;
    const Routing& routing = *system.topology.routing;
    NetworkCore net(graph, routing, system.core(1, 1));
    unsigned pairs = 0;
    for (unsigned from = 0; from < graph.endpoints.size(); ++from) {
        if (!graph.endpoints[from].requester) continue;
        for (const NetworkEndpoint& to : graph.endpoints) {
            const unsigned target = to.terminals[pairs % to.terminals.size()];
            for (const unsigned source : routing.entries(from, graph.terminals[target].router)) {
                const unsigned flits = pairs % 2 == 0 ? 9 : 1;
                // 1 + L + 4 R + sum of L + L + flits - 1, from the graph's own distances and its one latency of
                // channels
                const unsigned hops = routing.hops(graph.terminals[source].router, graph.terminals[target].router);
                const Cycle expected = 1 + graph.terminals[source].latency_cycles + 4 * (hops + 1) +
                                       hops * graph.channels.front().latency_cycles +
                                       graph.terminals[target].latency_cycles + flits - 1;
                const PacketIndex packet = net.offer({source, target, flits}, net.now());
                const Cycle begun = net.now();
                while (net.arrivals().empty()) net.step();
                ASSERT_EQ(net.now() - 1 - begun, expected) << graph.endpoints[from].name << " to " << to.name;
                ASSERT_EQ(net.packet(packet).routers, hops + 1);
                ASSERT_EQ(idle_way(graph, routing, source, target, flits).cycles, expected);
                net.release(packet);
                net.step();
                ++pairs;
            }
        }
    }
    EXPECT_GE(pairs, graph.endpoints.size());
}

/// Channels of all speeds: what is told of an idle network is what its flits take.
TEST(IdleLatencyOfUnequalChannels, IsWhatIsTold) {
    for (const char* name : {"sfbfly-4g16h", "mesh-8x8", "ring-4g16h"}) {
        NetworkSystem system = network(name);
        NetworkGraph& graph = system.topology.graph;
        const Routing& routing = *system.topology.routing;
        Rng rng(5, 9);
        for (NetworkChannel& channel : graph.channels)
            channel.interval += static_cast<std::uint32_t>(rng.below(2) * rng.below(9 * NetworkChannel::kCycle));
        NetworkCoreConfig config = system.core(1, 1);
        config.buffer_flits = 64; // credits never wait
        NetworkCore net(graph, routing, config);
        unsigned told = 0;
        for (unsigned i = 0; i < 300; ++i) {
            const auto target = static_cast<unsigned>(rng.below(graph.terminals.size()));
            const unsigned end = graph.terminals[target].router;
            const unsigned source = routing.entries(i % 4, end).front();
            const unsigned begin = graph.terminals[source].router;
            const auto flits = 1 + static_cast<unsigned>(rng.below(12));
            if (begin != end && routing.steps(begin, end, RouteLeg::to_destination).size() > 1)
                continue; // it draws one
            const PacketIndex packet = net.offer({source, target, flits}, net.now());
            const Cycle begun = net.now();
            while (net.arrivals().empty()) net.step();
            ASSERT_EQ(net.now() - 1 - begun, idle_way(graph, routing, source, target, flits).cycles)
                << name << " " << source << " to " << target << ", " << flits;
            net.release(packet);
            for (unsigned k = 0; k < 200; ++k) net.step(); // slow outputs are free again
            ++told;
        }
        EXPECT_GT(told, 50U) << name;
    }
}

/// Routers and terminals are kept in words of 64: more than one word, and one more than fills it.
class LongLines : public ::testing::TestWithParam<unsigned> {};

TEST_P(LongLines, CarryAPacketToTheirEnds) {
    TopologySpec spec;
    spec.topology = TopologyKind::line;
    spec.dimensions = {GetParam()};
    const Topology line = make_topology(spec, "line");
    NetworkCore net(line.graph, *line.routing, network("mesh-8x8").core(1, 1));
    const unsigned last = GetParam() - 1;
    for (const auto& [from, to] : {std::pair{0U, last}, std::pair{last, 0U}, std::pair{last - 1, last}}) {
        const PacketIndex packet = net.offer({from, to, 1}, net.now());
        for (unsigned i = 0; i < 20 * GetParam() && net.arrivals().empty(); ++i) net.step();
        ASSERT_EQ(net.arrivals().size(), 1U) << from << " to " << to;
        EXPECT_EQ(net.packet(packet).routers, (from < to ? to - from : from - to) + 1);
        net.release(packet);
        net.step();
    }
}
INSTANTIATE_TEST_SUITE_P(All, LongLines, ::testing::Values(64U, 65U, 129U));

INSTANTIATE_TEST_SUITE_P(Networks, IdleLatency, ::testing::ValuesIn(network_names()), [](const auto& test) {
    std::string name = test.param;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
});

} // namespace
} // namespace numavp::test
