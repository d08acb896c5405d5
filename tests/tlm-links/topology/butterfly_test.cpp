/// The crossbar of two stages: who reaches whom by which terminals, and sizes that it can't have.
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "networks.h"
#include "tlm-links/packet/terminal_choice.h"
#include "tlm-links/topology/graph/dependencies.h"

namespace numavp::test {
namespace {

struct Sides {
    std::vector<unsigned> asking, serving, stages;
};

Topology butterfly(const Sides& sides) {
    TopologySpec spec = nodes(TopologyKind::butterfly, sides.stages);
    spec.asking = sides.asking;
    spec.serving = sides.serving;
    return made(spec);
}

std::string of_kinds(const NetworkGraph& graph, const NetworkEndpoint& e, unsigned stage) {
    std::string found;
    for (const unsigned t : e.terminals)
        if ((graph.routers[graph.terminals[t].router].rfind("second", 0) == 0) == (stage == 1))
            found += graph.routers[graph.terminals[t].router] + " ";
    return found;
}

TEST(Butterfly, PutsWhoAsksAtTheFirstStageAndWhoServesAtTheSecond) {
    // Four SMs with a port each, two memories with two.
    const Topology t = butterfly({{1, 1, 1, 1, 0, 0}, {0, 0, 0, 0, 2, 2}, {2, 2}});
    const std::vector<NetworkEndpoint>& ends = t.graph.endpoints;
    EXPECT_EQ(of_kinds(t.graph, ends[0], 0) + of_kinds(t.graph, ends[3], 0), "first[0] first[1] ");
    EXPECT_EQ(of_kinds(t.graph, ends[4], 1), "second[0] second[0] ");
    EXPECT_EQ(of_kinds(t.graph, ends[4], 0), "");
    EXPECT_TRUE(ends[0].requester);
    EXPECT_FALSE(ends[5].requester);
    EXPECT_EQ(t.graph.channels.size(), 2U * 4);
}

TEST(Butterfly, HasPlaceForAGuestBesideThePortsThatDivide) {
    TopologySpec spec = nodes(TopologyKind::butterfly, {2, 2});
    spec.asking = spec.serving = {1, 1, 1, 1};
    spec.guests = 1;
    const Topology t = made(spec);
    ASSERT_EQ(t.graph.endpoints.size(), 5U);
    const NetworkEndpoint& guest = t.graph.endpoints[4];
    EXPECT_TRUE(guest.requester);
    EXPECT_EQ(of_kinds(t.graph, guest, 0), "first[0] ");
    EXPECT_EQ(of_kinds(t.graph, guest, 1), "second[0] ");
    const TerminalChoice choice(t.graph, *t.routing);
    for (unsigned e = 0; e < 4; ++e) { // both ways
        const TerminalChoice::Line at{line_hash(e * 128), 0};
        const unsigned exit = choice.exit(4, at), back = choice.exit(e, at);
        EXPECT_EQ(t.routing->hops(t.graph.terminals[choice.entry(e, exit, at)].router, t.graph.terminals[exit].router),
                  1U);
        EXPECT_EQ(t.routing->hops(t.graph.terminals[choice.entry(4, back, at)].router, t.graph.terminals[back].router),
                  1U);
    }
    EXPECT_TRUE(find_circle(t.graph, *t.routing).empty());
}

TEST(Butterfly, TakesRequestsOneWayAndResponsesBack) {
    const Topology t = butterfly({{2, 2, 2, 2}, {2, 2, 2, 2}, {2, 4}});
    const TerminalChoice choice(t.graph, *t.routing);
    const auto stage = [&](unsigned terminal) { return t.graph.terminals[terminal].router < 2 ? 0 : 1; };
    for (unsigned from = 0; from < 4; ++from)
        for (unsigned to = 0; to < 4; ++to)
            for (std::uint64_t line = 0; line < 64; ++line) {
                const TerminalChoice::Line at{line_hash(line * 128), static_cast<unsigned>(line % 2)};
                const unsigned exit = choice.exit(to, at), entry = choice.entry(from, exit, at);
                EXPECT_EQ(stage(exit), 1);
                EXPECT_EQ(stage(entry), 0);
                EXPECT_EQ(t.routing->hops(t.graph.terminals[entry].router, t.graph.terminals[exit].router), 1U);
                EXPECT_EQ(stage(choice.entry(to, entry, at)), 1);
            }
    EXPECT_TRUE(find_circle(t.graph, *t.routing).empty());
    EXPECT_EQ(t.routing->hops(0, 1), kNoWay);
    EXPECT_TRUE(t.routing->steps(0, 1, RouteLeg::to_destination).empty());
}

// Two terminals and one slice: its lines take either, the same at both ends, and each line always the same.
TEST(Butterfly, SpreadsTheLinesOfASliceOverItsTerminals) {
    TopologySpec spec = nodes(TopologyKind::butterfly, {2, 2});
    spec.asking = spec.serving = {2, 2, 2, 2};
    for (const unsigned slices : {0U, 1U}) {
        spec.slices = slices;
        const Topology t = made(spec);
        const TerminalChoice choice(t.graph, *t.routing);
        std::array<unsigned, 2> used{};
        for (std::uint64_t line = 0; line < 1000; ++line) {
            const TerminalChoice::Line at{line_hash(line * 128), 0};
            const std::vector<unsigned>& exits = t.graph.endpoints[3].exits();
            const unsigned exit = choice.exit(3, at), entry = choice.entry(0, exit, at);
            EXPECT_EQ(exit, choice.exit(3, at));
            EXPECT_EQ(entry, choice.entry(0, exit, at));
            const std::size_t number = exit == exits[0] ? 0 : 1;
            EXPECT_EQ(exit, exits[number]);
            EXPECT_EQ(entry, t.graph.endpoints[0].terminals[number]);
            ++used[number];
        }
        EXPECT_NEAR(used[0], slices == 1 ? 500 : 1000, slices == 1 ? 60 : 0);
    }
}

TEST(Butterfly, HasANodeOfBothKindsByDefault) {
    TopologySpec spec = nodes(TopologyKind::butterfly, {4, 2}, 2);
    spec.parallel_channels = 2;
    const Topology t = made(spec);
    EXPECT_EQ(t.graph.endpoints.size(), 8U);
    EXPECT_EQ(t.graph.endpoints[7].terminals.size(), 2U);
    EXPECT_EQ(t.graph.channels.size(), 2U * 4 * 2 * 2);
    for (unsigned r = 0; r < 6; ++r) EXPECT_EQ(t.graph.ports(r), r < 4 ? 2U + 4 : 4U + 8) << r;
}

TEST(Butterfly, RefusesPortsThatDoNotDivide) {
    const auto sentence = [](const Sides& sides) {
        try {
            butterfly(sides);
        } catch (const ConfigError& e) {
            return std::string(e.what());
        }
        return std::string("made");
    };
    EXPECT_EQ(
        sentence({{1, 1, 1}, {1, 1, 1}, {2, 3}}),
        "test: $.dimensions: 3 ports do not divide among 2 routers of the first stage; a divisor of 3 is allowed");
    EXPECT_THAT(sentence({{2, 2, 0}, {0, 0, 3}, {2, 2}}), ::testing::HasSubstr("3 ports do not divide among 2 routers "
                                                                               "of the second stage"));
    EXPECT_THAT(sentence({{1, 1}, {1, 1}, {2}}), ::testing::HasSubstr("1 dimensions are given for butterfly"));
    EXPECT_THAT(sentence({{1, 1}, {1, 1}, {0, 1}}), ::testing::HasSubstr("dimensions"));
}

} // namespace
} // namespace numavp::test
