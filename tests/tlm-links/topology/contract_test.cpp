/// Every network of the table keeps every contract, or is refused with the sentence that belongs to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "contracts.h"
#include "networks.h"
#include "shape.h"

namespace numavp::test {
namespace {

class TopologyContract : public ::testing::TestWithParam<TopologyKind> {};

TEST_P(TopologyContract, EveryNetwork) {
    unsigned built = 0;
    for (const TopologySpec& spec : contract_specs(false)) {
        if (spec.topology != GetParam()) continue;
        const std::string refusal = expected_refusal(spec);
        try {
            const Topology topology = made(spec);
            EXPECT_EQ(refusal, "") << describe(spec) << " was made";
            for (const Contract& contract : kContracts)
                EXPECT_EQ(contract.breach(spec, topology), "") << contract.name << " of " << describe(spec);
            ++built;
        } catch (const ConfigError& e) {
            ASSERT_NE(refusal, "") << describe(spec) << ": " << e.what();
            EXPECT_THAT(e.what(), ::testing::HasSubstr(refusal)) << describe(spec);
        }
    }
    EXPECT_GT(built, 5U);
}
/// All but the butterfly, whose terminals are of two kinds (butterfly_test.cpp).
std::vector<TopologyKind> all_kinds() {
    std::vector<TopologyKind> kinds;
    for (const auto& row : kTopologies)
        if (row.value != TopologyKind::butterfly) kinds.push_back(row.value);
    return kinds;
}
INSTANTIATE_TEST_SUITE_P(All, TopologyContract, ::testing::ValuesIn(all_kinds()),
                         [](const auto& row) { return std::string(kTopologies.name(row.param)); });

TEST(Topology, IsTheSameEachTime) {
    for (const TopologySpec& spec : contract_specs(true)) {
        if (!expected_refusal(spec).empty()) continue;
        const Topology a = made(spec), b = made(spec);
        ASSERT_EQ(a.graph.channels.size(), b.graph.channels.size());
        for (unsigned c = 0; c < a.graph.channels.size(); ++c) {
            EXPECT_EQ(a.graph.channels[c].from, b.graph.channels[c].from);
            EXPECT_EQ(a.graph.channels[c].to, b.graph.channels[c].to);
        }
        for (unsigned r = 0; r < a.graph.routers.size(); ++r)
            EXPECT_EQ(a.graph.leaving(r), a.graph.leaving_by_router()[r]);
    }
}

TEST(Topology, RoutingOutlivesTheGraph) {
    Topology topology = made(cubes(TopologyKind::storus));
    const NetworkGraph moved = std::move(topology.graph);
    topology.graph = {};
    EXPECT_EQ(topology.routing->hops(0, 8), 2U);
    EXPECT_EQ(topology.routing->steps(0, 8, RouteLeg::to_destination).size(), 2U);
    EXPECT_EQ(topology.routing->entries(0, 9).size(), 2U);
    EXPECT_EQ(moved.routers.size(), 16U);
}

// Of a ring of eight the two ways to the opposite router are steps, and a packet that began one goes on with it.
TEST(Topology, KeepsToTheWayAroundARing) {
    const Topology topology = made(nodes(TopologyKind::ring, {8}));
    for (const RouteStep& first : topology.routing->steps(1, 5, RouteLeg::to_destination)) {
        unsigned at = topology.graph.channels[first.channel].to, hops = 1;
        const unsigned way = (at + 8 - 1) % 8; // 1 or 7 on
        for (; at != 5; ++hops) {
            const std::vector<RouteStep> steps = topology.routing->steps(at, 5, RouteLeg::to_destination);
            ASSERT_EQ(steps.size(), 1U);
            EXPECT_EQ((topology.graph.channels[steps[0].channel].to + 8 - at) % 8, way);
            at = topology.graph.channels[steps[0].channel].to;
        }
        EXPECT_EQ(hops, 4U);
    }
}

} // namespace
} // namespace numavp::test
