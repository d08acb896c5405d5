/// A packet that meets nobody, between all endpoints of all networks: the closed form to the cycle.
#include <gtest/gtest.h>

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

INSTANTIATE_TEST_SUITE_P(Networks, IdleLatency, ::testing::ValuesIn(network_names()), [](const auto& test) {
    std::string name = test.param;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
});

} // namespace
} // namespace numavp::test
