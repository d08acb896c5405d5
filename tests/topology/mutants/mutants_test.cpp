/// Topologies and their routing broken on purpose: each fault breaks the contract that is there for it.
#include <algorithm>

#include <gtest/gtest.h>

#include "models/base/error.h"
#include "models/base/mutant.h"
#include "tests/topology/contracts.h"
#include "tests/topology/networks.h"
#include "tests/topology/other_vcs.h"
#include "tlm-links/topology/dependencies.h"
#include "tlm-links/topology/explicit_network.h"
#include "tlm-links/topology/topology_faults.h"

namespace numavp::test {
namespace {

struct Mutant {
    unsigned number;
    const char* what;
    const char* contract; ///< that it breaks, perhaps beside others
};

const Mutant kOfTheTable[] = {
    {kPairsWithItself, "a channel's reverse is itself", "channels_pair_up"},
    {kForgetsChannel, "a row of a grid has no channels", "channels_by_formula"},
    {kForgetsParallelChannels, "a doubled channel is not doubled", "channels_by_formula"},
    {kHopsOffByOne, "a hop counts as two", "hops_of_walks"},
    {kLastDimensionFirst, "y before x in one router", "choice_of_steps"},
    {kGoesTheLongWay, "directions on rings are swapped", "hops_of_walks"},
    {kNeverGoesDownAtEqualDistance, "at equal distance one way only", "choice_of_steps"},
    {kSwapsDatelineSides, "the sides of the dateline are swapped", "virtual_channels"},
    {kMergesDatelineHalves, "there is no dateline", "no_circle"},
    {kWrapsWrongAtEqualDistance, "at equal distance the sides of the dateline are swapped", "virtual_channels"},
    {kShiftsGateways, "channels between groups are one router off", "groups_join"},
    {kMergesGroupHalves, "one class before and after the channel between groups", "no_circle"},
    {kTakesGroupChannelOnUpperHalf, "the channel between groups is taken on the upper half", "virtual_channels"},
    {kTurnsDownAtOnce, "a packet in a tree turns down before the common ancestor", "hops_of_walks"},
    {kMergesUgalLegs, "both legs on the same virtual channels", "no_circle"},
    {kGoesByWayOfTarget, "the target is an intermediate", "intermediates"},
    {kEntersAtNextSlice, "packets enter at the wrong slice", "entries_by_rule"},
    {kEntersAtFarthest, "packets enter where it is farther", "entries_by_rule"},
    {kLaysNodesInARow, "nodes of a router lie in a row", "terminals_in_place"},
};

/// Names of the contracts that a network breaks.
std::vector<std::string> broken() {
    std::vector<std::string> names;
    for (const TopologySpec& spec : contract_specs(true)) {
        if (!expected_refusal(spec).empty()) continue;
        const Topology topology = made(spec);
        for (const Contract& contract : kContracts) {
            const bool known = std::find(names.begin(), names.end(), contract.name) != names.end();
            if (!known && !contract.breach(spec, topology).empty()) names.emplace_back(contract.name);
        }
    }
    return names;
}

TEST(TopologyMutants, OfTheTable) {
    active_mutant = kNoTopologyFault;
    EXPECT_EQ(broken(), std::vector<std::string>{});
    for (const Mutant& mutant : kOfTheTable) {
        active_mutant = mutant.number;
        const std::vector<std::string> names = broken();
        EXPECT_NE(std::find(names.begin(), names.end(), mutant.contract), names.end())
            << mutant.what << " breaks no " << mutant.contract;
    }
    active_mutant = kNoTopologyFault;
}

Topology explicit_ring(unsigned vcs) {
    NetworkGraph graph;
    for (unsigned r = 0; r < 6; ++r) {
        graph.routers.push_back("r" + std::to_string(r));
        graph.endpoints.push_back({"n" + std::to_string(r), true, r, {}});
        graph.attach(r, r, 1);
    }
    for (unsigned r = 0; r < 6; ++r) graph.connect(r, (r + 1) % 6, 1);
    return make_explicit(std::move(graph), vcs, "test");
}

/// While the fault lasts: virtual channels are worked out at each step.
bool ring_has_circle(unsigned fault, unsigned vcs) {
    active_mutant = fault;
    const Topology ring = explicit_ring(vcs);
    const bool found = !find_circle(ring.graph, *ring.routing).empty();
    active_mutant = kNoTopologyFault;
    return found;
}

TEST(TopologyMutants, OfExplicitNetworks) {
    EXPECT_FALSE(ring_has_circle(kNoTopologyFault, 2));
    EXPECT_TRUE(ring_has_circle(kTurnsUpAgain, 2)) << "up*/down* goes up again";
    EXPECT_FALSE(ring_has_circle(kNoTopologyFault, 3));
    EXPECT_TRUE(ring_has_circle(kMergesHopClasses, 3)) << "hop classes are one";
}

// Both legs on the same virtual channels: a checker that skips the turn between them sees no circle.
TEST(TopologyMutants, OfTheChecker) {
    TopologySpec spec = nodes(TopologyKind::mesh, {2, 2});
    spec.routing = RoutingKind::ugal;
    const Topology mesh = made(spec);
    const OtherVcs one(*mesh.routing, {0, 6}, {0, 6});
    EXPECT_FALSE(find_circle(mesh.graph, one).empty());
    active_mutant = kCheckSkipsTurnOfLegs;
    EXPECT_TRUE(find_circle(mesh.graph, one).empty());
    active_mutant = kNoTopologyFault;
}

TEST(TopologyMutants, AllAreCaught) {
    constexpr unsigned kElsewhere = 3; // two of explicit networks, one of the checker
    EXPECT_EQ(std::size(kOfTheTable) + kElsewhere, kTopologyFaults - 1U);
}

} // namespace
} // namespace numavp::test
