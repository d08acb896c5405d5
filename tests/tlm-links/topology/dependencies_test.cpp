/// Circles of dependencies are found and named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "networks.h"
#include "other_vcs.h"
#include "tlm-links/topology/graph/dependencies.h"

namespace numavp::test {
namespace {

std::string routing_refusal(const NetworkGraph& graph, const Routing& routing, unsigned vcs) {
    try {
        check_routing(graph, routing, vcs, "test");
    } catch (const ConfigError& e) {
        return e.what();
    }
    return "";
}

TEST(Dependencies, ARingWithoutDatelineIsRefused) {
    const Topology ring = made(nodes(TopologyKind::ring, {4}));
    EXPECT_EQ(routing_refusal(ring.graph, *ring.routing, 6), "");
    const OtherVcs all(*ring.routing, {0, 1}, {0, 1});
    EXPECT_EQ(
        routing_refusal(ring.graph, all, 6),
        "test: $: packets may wait for each other in a circle: router[0] to router[1] on VC 0, router[1] to router[2] "
        "on VC 0, router[2] to router[3] on VC 0, router[3] to router[0] on VC 0; routing without such a circle is "
        "expected");
}

TEST(Dependencies, ALongCircleIsCutShort) {
    const Topology ring = made(nodes(TopologyKind::ring, {16}));
    const OtherVcs all(*ring.routing, {2, 3}, {2, 3});
    EXPECT_THAT(routing_refusal(ring.graph, all, 6),
                ::testing::AllOf(::testing::HasSubstr("router[7] to router[8] on VC 2, ...;"),
                                 ::testing::Not(::testing::HasSubstr("router[8] to router[9]"))));
    EXPECT_EQ(find_circle(ring.graph, all).size(), 16U);
}

TEST(Dependencies, ACircleIsOneOfChannelsThatFollow) {
    const Topology torus = made(nodes(TopologyKind::torus, {4, 4}));
    const OtherVcs all(*torus.routing, {0, 6}, {0, 6});
    const std::vector<HeldChannel> circle = find_circle(torus.graph, all);
    ASSERT_GE(circle.size(), 3U);
    for (std::size_t i = 0; i < circle.size(); ++i)
        EXPECT_EQ(torus.graph.channels[circle[i].channel].to,
                  torus.graph.channels[circle[(i + 1) % circle.size()].channel].from);
}

// Three routers in a ring: no packet goes on after its first hop.
TEST(Dependencies, AShortRingNeedsNoDateline) {
    const Topology ring = made(nodes(TopologyKind::ring, {3}));
    EXPECT_EQ(routing_refusal(ring.graph, OtherVcs(*ring.routing, {0, 1}, {0, 1}), 1), "");
}

// Each leg alone has no circle; turning from one to the other on the same virtual channels makes one.
TEST(Dependencies, LegsOnTheSameChannelsAreRefused) {
    TopologySpec spec = nodes(TopologyKind::mesh, {2, 2});
    spec.routing = RoutingKind::ugal;
    const Topology mesh = made(spec);
    EXPECT_EQ(routing_refusal(mesh.graph, *mesh.routing, 6), "");
    EXPECT_NE(routing_refusal(mesh.graph, OtherVcs(*mesh.routing, {0, 3}, {2, 6}), 6), "");
    EXPECT_EQ(routing_refusal(mesh.graph, OtherVcs(*mesh.routing, {0, 2}, {2, 6}), 6), "");
}

/// Breaks one rule of steps each.
class BadSteps final : public OtherVcs {
  public:
    BadSteps(const Routing& inner, RouteStep step, bool none)
        : OtherVcs(inner, {0, 1}, {0, 1}), step_(step), none_(none) {}
    std::vector<RouteStep> steps(unsigned, unsigned, RouteLeg) const override {
        return none_ ? std::vector<RouteStep>{} : std::vector{step_};
    }

  private:
    RouteStep step_;
    bool none_;
};

TEST(Dependencies, BadStepsAreRefused) {
    const Topology line = made(nodes(TopologyKind::line, {3}));
    const auto bad = [&](RouteStep step, bool none = false) {
        return routing_refusal(line.graph, BadSteps(*line.routing, step, none), 2);
    };
    // channels: 0 is router 0 to 1, 1 back, 2 is 1 to 2
    EXPECT_THAT(bad({0, {0, 1}}, true), ::testing::HasSubstr("at router[0] a packet to router[1] has no step;"));
    EXPECT_THAT(bad({1, {0, 1}}), ::testing::HasSubstr("takes a channel that does not leave it"));
    EXPECT_THAT(bad({9, {0, 1}}), ::testing::HasSubstr("takes a channel that does not leave it"));
    EXPECT_THAT(bad({0, {1, 1}}), ::testing::HasSubstr("takes virtual channels 1 to 1 (excluded) of 2"));
    EXPECT_THAT(bad({0, {0, 3}}), ::testing::HasSubstr("takes virtual channels 0 to 3 (excluded) of 2"));
    const Topology ring = made(nodes(TopologyKind::ring, {5})); // channel 8 is router 4 to 0, 9 back
    EXPECT_THAT(routing_refusal(ring.graph, BadSteps(*ring.routing, {9, {0, 1}}, false), 2),
                ::testing::HasSubstr("at router[0] a packet to router[1] takes a channel that is not a hop nearer"));
}

} // namespace
} // namespace numavp::test
