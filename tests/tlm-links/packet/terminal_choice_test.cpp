/// By which terminals lines enter and leave networks in which endpoints have several.
#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/tlm-links/packet/named_networks.h"
#include "tlm-links/packet/terminal_choice.h"

namespace numavp::test {
namespace {

class TerminalChoices : public ::testing::TestWithParam<const char*> {};

TEST_P(TerminalChoices, LeadToTheOtherEndpointAndUseAllThatDo) {
    const NetworkSystem system = network(GetParam());
    const NetworkGraph& graph = system.topology.graph;
    const Routing& routing = *system.topology.routing;
    const TerminalChoice choice(graph, routing);
    constexpr std::uint64_t kLines = 300;
    for (unsigned from = 0; from < graph.endpoints.size(); ++from)
        for (unsigned to = 0; to < graph.endpoints.size(); ++to) {
            if (!graph.endpoints[from].requester || from == to) continue;
            std::set<unsigned> exits, entries, allowed;
            for (std::uint64_t line = 0; line < kLines * kLineBytes; line += kLineBytes) {
                const TerminalChoice::Line hash{line_hash(line), 0};
                const unsigned exit = choice.exit(to, hash), entry = choice.entry(from, exit, hash);
                ASSERT_EQ(graph.terminals[exit].endpoint, to);
                ASSERT_EQ(graph.terminals[entry].endpoint, from);
                const std::vector<unsigned> ways = routing.entries(from, graph.terminals[exit].router);
                ASSERT_EQ(std::count(ways.begin(), ways.end(), entry), 1);
                ASSERT_NE(routing.hops(graph.terminals[entry].router, graph.terminals[exit].router), kNoWay);
                const unsigned back = choice.entry(to, entry, hash); // the response, to the terminal that asked
                ASSERT_EQ(graph.terminals[back].endpoint, to);
                ASSERT_NE(routing.hops(graph.terminals[back].router, graph.terminals[entry].router), kNoWay);
                exits.insert(exit);
                entries.insert(entry);
                allowed.insert(ways.begin(), ways.end());
            }
            EXPECT_EQ(exits.size(), graph.endpoints[to].terminals.size()) << from << " to " << to;
            EXPECT_EQ(entries, allowed) << from << " to " << to;
        }
}
INSTANTIATE_TEST_SUITE_P(All, TerminalChoices,
                         ::testing::Values("sfbfly-4g16h", "dfbfly-4g16h", "dfbfly-4g16h-random-entry", "ddfly-4g16h",
                                           "smesh-2x2-4g16h-2x", "storus-4g16h", "ring-4g16h-random-entry"));

} // namespace
} // namespace numavp::test
