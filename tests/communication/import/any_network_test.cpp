/// Network files of BookSim's topology anynet: the channels of a file come back from the system that it makes.
#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "communication/import/any_network.h"
#include "communication/import/join_sources.h"

namespace numavp {
namespace {

/// Wires of the system that a file makes, each from its lesser end: "node[0]", "router[1]", ns.
using AnyWires = std::set<std::tuple<std::string, std::string, unsigned>>;

AnyWires wires_made_of(const std::string& text) {
    const MachineText made = make_network_file(read_any_network(text, "net"), "net");
    std::map<std::string, unsigned> latencies;
    for (const auto& link : made.system["network"]["links"]) latencies[link["name"]] = link["latency_ns"];
    AnyWires wires;
    for (const auto& wire : made.system["network"]["wires"]) {
        const std::string from = wire["from"], to = wire["to"];
        wires.emplace(std::min(from, to), std::max(from, to), latencies.at(wire["link"]));
    }
    return wires;
}

std::string refusal_of_network(const std::string& text) {
    try {
        make_network_file(read_any_network(text, "net"), "net");
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "none";
}

TEST(AnyNetworks, LatencyBehindARouterIsItsChannels) {
    const AnyWires expected{{"node[0]", "router[0]", 1}, {"node[1]", "router[0]", 1},    {"node[2]", "router[1]", 1},
                            {"node[3]", "router[2]", 1}, {"router[0]", "router[1]", 15}, {"router[0]", "router[2]", 1}};
    EXPECT_EQ(wires_made_of("router 0 node 0 node 1 router 1 15 router 2\nrouter 1 node 2\nrouter 2 node 3\n"),
              expected);
    // The same from the other sides, in another order, with blank lines and tabs.
    EXPECT_EQ(wires_made_of(
                  "\nnode 3 router 2\r\nrouter 1\tnode 2  router 0 15\n\nnode 0 router 0\nrouter 0 router 2 node 1"),
              expected);
}

TEST(AnyNetworks, LatencyOfANodeIsThatOfItsWire) {
    const AnyWires wires = wires_made_of("router 0 node 0 4 router 1\nrouter 1 node 1\n");
    EXPECT_EQ(wires,
              (AnyWires{{"node[0]", "router[0]", 4}, {"node[1]", "router[1]", 1}, {"router[0]", "router[1]", 1}}));
}

TEST(AnyNetworks, AreFoundAmongTheOtherForms) {
    const ImportSource source = read_source("router 7 node 0 router 9\nrouter 9 node 1\n", "net");
    ASSERT_TRUE(std::holds_alternative<AnyNetwork>(source));
    EXPECT_EQ(edge_list(std::get<AnyNetwork>(source)), "node0 router7\nnode1 router9\nrouter7 router9\n");
    const MachineText made = make_network_file(std::get<AnyNetwork>(source), "My Net.anynet");
    EXPECT_EQ(made.system["name"], "my-net-anynet");
    ASSERT_EQ(made.notes.size(), 3U);
    EXPECT_EQ(made.notes[0], "numbers of routers are not all of 0 to 1: they are numbered anew, in the same order");
    EXPECT_THROW(join_sources({source}), ConfigError);
}

TEST(AnyNetworks, BadLinesAreRefusedByOneSentence) {
    const std::vector<std::pair<std::string, std::string>> rows{
        {"router 0 node 0 node 0x1\n",
         "net: line 1: '0x1' is no number of a router or node; a whole number up to 1000000 "
         "is expected"},
        {"router 0 node 0\nnode 1 node 0\n", "net: line 2: node 1 is joined to node 0; a router is expected"},
        {"router 0 node 0 router 1\nrouter 1 node 0\n",
         "net: line 2: node 0 is at router 0 and at router 1; one is allowed"},
        {"router 0 node 0 node 1 router 0\n", "net: line 1: router 0 is joined to itself"},
        {"router 0 node 0 node 1 router\n", "net: line 1: it ends behind 'router'; a number is expected"},
        {"router 0 node 0 switch 1\n",
         "net: line 1: 'switch' is no latency in cycles; a whole number up to 100000 is expected"},
        {"router 0 node 0 router 1 0\n", "net: line 1: a channel takes 0 cycles; 1 at least is expected"},
        {"router 0 node 0 router 1 2 router 1 3\n",
         "net: line 1: the channel from router 0 to router 1 takes 2 cycles and 3 "
         "cycles; one latency is expected"},
        {"router 0 node 0 router 1 2\nrouter 1 node 1 router 0 3\n",
         "net: line 1: the channel between routers 0 and 1 takes 2 "
         "cycles one way and 3 back; a wire of numavp has one "
         "latency"},
        {"router 0 node 0 5 node 1\nnode 0 router 0 7\n",
         "net: line 2: the channel of node 0 takes 5 cycles and 7 cycles; one latency is expected"},
        {"router 0 node 0\n", "net: there are 1 nodes; two at least are expected"},
        {"router 0 node 0\nrouter 1 node 1\n",
         "net: line 2: no channels lead from router 0 to router 1; one network is expected"},
    };
    for (const auto& [text, sentence] : rows) EXPECT_EQ(refusal_of_network(text), sentence) << text;
}

/// Draws a network, writes it with each channel at a drawn side (or at both), and compares what comes back.
TEST(AnyNetworks, DrawnNetworksComeBack) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937 draw(seed);
        const auto below = [&](unsigned n) { return static_cast<unsigned>(draw() % n); };
        const unsigned routers = 1 + below(12), nodes = 2 + below(20);
        std::map<unsigned, std::string> lines; // by router
        AnyWires expected;
        for (unsigned r = 0; r < routers; ++r) lines[r] = fmt::format("router {}", r);
        std::string own_lines;
        for (unsigned n = 0; n < nodes; ++n) {
            const unsigned r = below(routers);
            expected.emplace(fmt::format("node[{}]", n), fmt::format("router[{}]", r), 1);
            if (below(2) == 0)
                lines[r] += fmt::format(" node {}", n);
            else
                own_lines += fmt::format("node {} router {}\n", n, r);
        }
        std::set<std::pair<unsigned, unsigned>> pairs;
        for (unsigned r = 1; r < routers; ++r) pairs.emplace(below(r), r);
        for (unsigned more = below(8); more != 0 && routers > 1; --more) {
            const unsigned a = below(routers), b = below(routers);
            if (a != b) pairs.insert(std::minmax(a, b));
        }
        for (const auto& [a, b] : pairs) {
            const unsigned cycles = below(3) == 0 ? 0 : 1 + below(40), sides = below(3);
            const std::string latency = cycles == 0 ? "" : fmt::format(" {}", cycles);
            if (sides != 1) lines[a] += fmt::format(" router {}{}", b, latency);
            if (sides != 0) lines[b] += fmt::format(" router {}{}", a, latency);
            const std::string one = fmt::format("router[{}]", a), other = fmt::format("router[{}]", b);
            expected.emplace(std::min(one, other), std::max(one, other), std::max(1U, cycles));
        }
        std::string text = own_lines;
        for (const auto& [router, line] : lines) text += line + "\n";
        EXPECT_EQ(wires_made_of(text), expected) << "seed " << seed << "\n" << text;
    }
}

} // namespace
} // namespace numavp
