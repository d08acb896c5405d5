/// Routers executed in groups, whatever the order of these, move each packet as one group does.
#include <algorithm>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tests/tlm-links/packet/named_networks.h"

namespace numavp::test {
namespace {

/// A packet's number, the cycle in which it arrives and the routers that it has visited.
using GroupArrival = std::tuple<Cycle, std::uint64_t, unsigned>;

/// Packets with keys between drawn terminals, as many in a cycle as make queues, with bounded terminals.
std::vector<GroupArrival> arrivals_of(const NetworkSystem& system, unsigned groups) {
    constexpr unsigned kPackets = 1500, kOfACycle = 3, kKeys = 5, kLongest = 9;
    const NetworkGraph& graph = system.topology.graph;
    NetworkCoreConfig config = system.core(2, 1);
    config.groups = groups;
    config.eject_flits = 2 * kLongest;
    NetworkCore net(graph, *system.topology.routing, config);
    EXPECT_EQ(net.groups(), groups);
    Rng rng(5, 1);
    std::vector<unsigned> senders;
    for (unsigned t = 0; t < graph.terminals.size(); ++t)
        if (graph.endpoints[graph.terminals[t].endpoint].requester) senders.push_back(t);
    std::vector<GroupArrival> seen;
    for (unsigned offered = 0; offered < kPackets || !net.idle();) {
        for (unsigned i = 0; i < kOfACycle && offered < kPackets; ++i, ++offered) {
            const unsigned from = senders[rng.below(senders.size())];
            unsigned to = 0;
            do to = static_cast<unsigned>(rng.below(graph.terminals.size()));
            while (graph.terminals[to].router == graph.terminals[from].router ||
                   system.topology.routing->hops(graph.terminals[from].router, graph.terminals[to].router) == kNoWay);
            net.offer({from, to, 1 + static_cast<unsigned>(rng.below(kLongest)), static_cast<unsigned>(rng.below(2)),
                       1 + static_cast<std::uint32_t>(rng.below(kKeys)), offered},
                      net.now());
        }
        net.begin_step();
        for (unsigned group = groups; group-- > 0;) net.step_group(group);
        net.end_step();
        const std::size_t before = seen.size();
        for (unsigned group = 0; group < groups; ++group)
            for (const NetworkCore::Arrival& a : net.arrivals(group)) {
                const NetworkCore::Packet& packet = net.packet(a.packet);
                seen.emplace_back(net.now(), packet.tag, packet.routers);
                net.credit_ejection(packet.target, packet.eject_vc, packet.flits);
                net.release(a.packet);
            }
        std::sort(seen.begin() + static_cast<std::ptrdiff_t>(before), seen.end());
        if (net.now() > 100'000) return {};
    }
    return seen;
}

void expect_the_same(const NetworkSystem& system) {
    const std::vector<GroupArrival> one = arrivals_of(system, 1);
    ASSERT_FALSE(one.empty()) << "packets did not arrive";
    for (const unsigned groups : {2U, 5U}) EXPECT_EQ(arrivals_of(system, groups), one) << groups << " groups";
}

TEST(GroupsOfRouters, MovePacketsAsOneDoesInATorus) { expect_the_same(network("torus-8x8")); }

TEST(GroupsOfRouters, MovePacketsAsOneDoesAmongCubes) { expect_the_same(network("sfbfly-4g16h")); }

/// The first packet of a flow chooses its way by the credits of its router, and gives it up where it arrives.
TEST(GroupsOfRouters, MovePacketsAsOneDoesWithUgal) {
    expect_the_same(network("flatfly-64", {"routing=ugal", "network.ugal_threshold=0"}));
}

TEST(GroupsOfRouters, AreOneWhereChannelsHaveErrors) {
    const NetworkSystem system = network("torus-8x8");
    NetworkCoreConfig config = system.core(1, 1);
    config.groups = 4;
    config.errors.resize(1);
    config.errors[0].bit_error_rate = 1e-6;
    EXPECT_EQ(NetworkCore(system.topology.graph, *system.topology.routing, config).groups(), 1U);
}

TEST(GroupsOfRouters, AreAtMostTheRouters) {
    const NetworkSystem system = network("sfbfly-4g16h");
    NetworkCoreConfig config = system.core(1, 1);
    config.groups = 64;
    EXPECT_EQ(NetworkCore(system.topology.graph, *system.topology.routing, config).groups(), 16U);
}

} // namespace
} // namespace numavp::test
