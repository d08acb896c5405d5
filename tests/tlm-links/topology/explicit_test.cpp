/// Graphs of a user's own: every one gets routing that reaches all and has no circle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "shape.h"
#include "tlm-links/topology/explicit_network.h"
#include "tlm-links/topology/graph/dependencies.h"

namespace numavp::test {
namespace {

NetworkGraph routers_with_nodes(unsigned count) {
    NetworkGraph graph;
    for (unsigned r = 0; r < count; ++r) {
        graph.routers.push_back("r" + std::to_string(r));
        graph.endpoints.push_back({"n" + std::to_string(r), true, r, {}});
        graph.attach(r, r, 1);
    }
    return graph;
}

NetworkGraph hypercube(unsigned dimensions) {
    NetworkGraph graph = routers_with_nodes(1U << dimensions);
    for (unsigned r = 0; r < graph.routers.size(); ++r)
        for (unsigned d = 0; d < dimensions; ++d)
            if ((r >> d & 1U) == 0) graph.connect(r, r | 1U << d, 2);
    return graph;
}

NetworkGraph ring_of(unsigned count) {
    NetworkGraph graph = routers_with_nodes(count);
    for (unsigned r = 0; r < count; ++r) graph.connect(r, (r + 1) % count, 1);
    return graph;
}

unsigned bits(unsigned x) { return x == 0 ? 0 : (x & 1U) + bits(x >> 1U); }

std::string wires_refusal(NetworkGraph graph, unsigned vcs = 2) {
    try {
        make_explicit(std::move(graph), vcs, "wires.json");
    } catch (const ConfigError& e) {
        return e.what();
    }
    return "made";
}

TEST(ExplicitNetwork, AHypercubeHasShortestWaysOnAllChannels) {
    const Topology cube = make_explicit(hypercube(4), 3, "test");
    check_routing(cube.graph, *cube.routing, 3, "test");
    for (unsigned r = 0; r < 16; ++r)
        for (unsigned t = 0; t < 16; ++t) {
            EXPECT_EQ(cube.routing->hops(r, t), bits(r ^ t));
            const std::vector<RouteStep> steps = cube.routing->steps(r, t, RouteLeg::to_destination);
            ASSERT_EQ(steps.size(), r == t ? 0U : 1U); // the lowest index
            if (r != t) {
                EXPECT_EQ(steps[0].vcs.end - steps[0].vcs.first, 3U);
            }
            EXPECT_EQ(cube.routing->entries(r, t), std::vector{r});
            EXPECT_TRUE(cube.routing->intermediates(r, t).empty());
        }
}

// A tree with doubled wires: all of them are steps.
TEST(ExplicitNetwork, ATreeTakesEveryWire) {
    NetworkGraph graph = routers_with_nodes(3);
    graph.connect(0, 1, 1);
    graph.connect(0, 1, 1);
    graph.connect(2, 0, 1);
    const Topology tree = make_explicit(std::move(graph), 1, "test");
    EXPECT_EQ(tree.routing->steps(2, 1, RouteLeg::to_destination).size(), 1U);
    EXPECT_EQ(tree.routing->steps(0, 1, RouteLeg::to_destination).size(), 2U);
    EXPECT_TRUE(find_circle(tree.graph, *tree.routing).empty());
}

// Eight in a ring, four hops at most: with four virtual channels both shortest ways, a class a hop.
TEST(ExplicitNetwork, ARingHasHopClasses) {
    const Topology ring = make_explicit(ring_of(8), 4, "test");
    check_routing(ring.graph, *ring.routing, 4, "test");
    for (unsigned hops = 1; hops <= 4; ++hops) {
        const std::vector<RouteStep> steps = ring.routing->steps(0, hops, RouteLeg::to_destination);
        ASSERT_EQ(steps.size(), hops == 4 ? 2U : 1U);
        EXPECT_EQ(steps[0].vcs.first, 4 - hops);
        EXPECT_EQ(steps[0].vcs.end, 5 - hops);
    }
}

// With fewer virtual channels up*/down* from router 0: no packet crosses the wire that is farthest from it, between 4
// and 5 or 3 and 4, but to or from its end.
TEST(ExplicitNetwork, ARingGoesUpAndDown) {
    const Topology ring = make_explicit(ring_of(8), 1, "test");
    check_routing(ring.graph, *ring.routing, 1, "test");
    EXPECT_EQ(ring.routing->hops(1, 3), 2U);
    EXPECT_EQ(ring.routing->hops(3, 4), 1U);
    EXPECT_EQ(ring.routing->hops(4, 5), 1U);
    EXPECT_EQ(ring.routing->hops(3, 5), 6U);
    EXPECT_EQ(ring.routing->hops(5, 3), 6U);
    EXPECT_EQ(ring.routing->steps(0, 4, RouteLeg::to_destination).size(), 2U);
}

// Random connected graphs with 1 to 4 virtual channels, some wires twice.
TEST(ExplicitNetwork, AnyGraphIsRoutedWithoutCircle) {
    Rng random(7);
    for (unsigned round = 0; round < 60; ++round) {
        const auto count = static_cast<unsigned>(2 + random.below(14));
        NetworkGraph graph = routers_with_nodes(count);
        for (unsigned r = 1; r < count; ++r) graph.connect(r, static_cast<unsigned>(random.below(r)), 1);
        for (unsigned extra = 0; extra < round % 12; ++extra) {
            const auto a = static_cast<unsigned>(random.below(count)), b = static_cast<unsigned>(random.below(count));
            if (a != b) graph.connect(a, b, 1);
        }
        const unsigned vcs = 1 + round % 4;
        const Topology topology = make_explicit(std::move(graph), vcs, "test");
        check_routing(topology.graph, *topology.routing, vcs, "test"); // throws
        for (unsigned t = 0; t < count; ++t) EXPECT_NE(topology.routing->hops(0, t), kNoWay);
    }
}

// Two processors with a port in each of two networks that are apart.
TEST(ExplicitNetwork, EntersWhereThereIsAWay) {
    NetworkGraph graph;
    graph.routers = {"a0", "a1", "b0", "b1"};
    graph.endpoints = {{"p", true, 0, {}}, {"q", true, 1, {}}};
    for (const unsigned router : {0U, 2U}) graph.attach(0, router, 1);
    for (const unsigned router : {1U, 3U}) graph.attach(1, router, 1);
    graph.connect(0, 1, 1);
    graph.connect(2, 3, 1);
    const Topology apart = make_explicit(std::move(graph), 1, "test");
    EXPECT_EQ(apart.routing->entries(0, 3), std::vector{1U});
    EXPECT_EQ(apart.routing->entries(1, 0), std::vector{2U});
    EXPECT_EQ(apart.routing->hops(0, 3), kNoWay);
}

TEST(ExplicitNetwork, Refusals) {
    EXPECT_EQ(wires_refusal({}), "wires.json: $.routers: there are no routers; at least one is expected");
    EXPECT_EQ(wires_refusal(ring_of(3), 0),
              "wires.json: $.virtual_channels: virtual_channels is 0; it must be at least 1");
    EXPECT_EQ(wires_refusal(routers_with_nodes(2)),
              "wires.json: $.channels: there is no way from n0 to n1 at r1; requesters must reach every terminal");
    EXPECT_EQ(wires_refusal(routers_with_nodes(5000)),
              "wires.json: $.routers: there are 5000 routers; at most 4096 are allowed");
    NetworkGraph graph = ring_of(3);
    graph.routers[2] = "r0";
    EXPECT_EQ(wires_refusal(graph), "wires.json: $.routers: 'r0' is there twice; names must differ");
    graph = ring_of(3);
    graph.channels[0].to = 7;
    EXPECT_EQ(wires_refusal(graph),
              "wires.json: $.channels[0]: the channel joins routers 0 and 7; there are routers 0 to 2");
    graph = ring_of(3);
    graph.connect(1, 1, 1);
    EXPECT_EQ(wires_refusal(graph),
              "wires.json: $.channels[6]: the channel joins r1 with itself; two routers are expected");
    graph = ring_of(3);
    graph.channels[1].reverse = 3;
    EXPECT_EQ(wires_refusal(graph),
              "wires.json: $.channels[0]: no channel goes back; channels come in pairs that name each other");
    graph = ring_of(3);
    graph.endpoints[1].terminals.clear();
    EXPECT_EQ(wires_refusal(graph), "wires.json: $.endpoints[1]: n1 has no terminal; at least one is expected");
    graph = ring_of(3);
    graph.terminals[1].router = 3;
    EXPECT_EQ(wires_refusal(graph),
              "wires.json: $.endpoints[1]: terminal 1 of n1 is not a terminal of it at a router; one is expected");
    graph = ring_of(3);
    graph.terminals.push_back({1, 1, 1});
    EXPECT_EQ(wires_refusal(graph),
              "wires.json: $.terminals: there are 4 terminals, and endpoints have 3; each must belong to one endpoint");
}

} // namespace
} // namespace numavp::test
