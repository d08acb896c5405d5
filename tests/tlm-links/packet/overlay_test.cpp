/// Packets that pass routers on the chains of an overlay: their time to the cycle, their order, and when they do not.
#include <algorithm>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "platform/network/traffic.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/packet/one_router.h"
#include "tests/tlm-links/packet/packet_run.h"
#include "tests/tlm-links/packet/small_fabric.h"
#include "tlm-links/topology/graph/dependencies.h"

namespace numavp::test {
namespace {

NetworkSystem overlay_network(const std::vector<std::string>& settings = {}) {
    return load_network(source_dir() + "/configs/systems/memory-networks/umn-3-overlay.json", settings);
}

/// Position of a router on its chain: the CPU, its cubes, then the cubes of GPU 0, 2 and 1. GPUs have none.
unsigned position(const std::string& router) {
    const std::string part = router.substr(0, router.find('['));
    if (part == "cpu") return 0;
    if (part == "host_cube") return 1;
    const unsigned cluster = static_cast<unsigned>(std::stoul(router.substr(router.find('[') + 1))) / 4;
    return cluster == 0 ? 2 : cluster == 2 ? 3 : 4;
}

class OverlayTime : public ::testing::TestWithParam<unsigned> {};

/// Two routers with four stages, the channel behind the first, and for each router between them one pass. Before, the
/// same way took 8 cycles for each.
TEST_P(OverlayTime, OfAPacketThatMeetsNobodyIsTheClosedForm) {
    const unsigned pass = GetParam();
    const NetworkSystem system = overlay_network({"network.pass_through_cycles=" + std::to_string(pass)});
    const NetworkGraph& graph = system.topology.graph;
    NetworkCore net(graph, *system.topology.routing, system.core(2, 1));
    unsigned pairs = 0, passes = 0;
    for (const NetworkEndpoint& cube : graph.endpoints) {
        if (cube.name.find("cube") == std::string::npos) continue;
        const auto cpu = std::find_if(graph.endpoints.begin(), graph.endpoints.end(),
                                      [](const NetworkEndpoint& e) { return e.name == "cpu[0]"; });
        const unsigned between = position(cube.name) - 1;
        for (const unsigned flits : {1U, 9U})
            for (const bool back : {false, true}) {
                const unsigned own = cpu->terminals[pairs % cpu->terminals.size()];
                const unsigned there = cube.terminals[pairs % cube.terminals.size()];
                const unsigned source = back ? there : own, target = back ? own : there;
                const Cycle expected = 1 + graph.terminals[source].latency_cycles + 2 * 4 + 4 + pass * between +
                                       graph.terminals[target].latency_cycles + flits - 1;
                const Cycle begun = net.now();
                const PacketIndex packet = net.offer({source, target, flits, back ? 1U : 0U, 77}, begun);
                while (net.arrivals().empty()) net.step();
                ASSERT_EQ(net.now() - 1 - begun, expected) << cube.name << ", " << flits << " flits, back " << back;
                ASSERT_EQ(net.packet(packet).routers, between + 2);
                ASSERT_EQ(idle_way(graph, *system.topology.routing, source, target, flits).cycles, expected);
                net.release(packet);
                for (unsigned i = 0; i < 20; ++i) net.step(); // outputs are quiet again
                passes += between;
                ++pairs;
            }
    }
    EXPECT_EQ(pairs, 16U * 4);
    EXPECT_EQ(net.passes(), passes);
    EXPECT_EQ(net.refused_passes(), 0U);
}
INSTANTIATE_TEST_SUITE_P(Cycles, OverlayTime, ::testing::Values(1U, 2U, 5U));

/// Many packets of all endpoints: none is lost, doubled, stuck or overtaken, with room for a packet, less, and more.
TEST(Overlay, KeepsOrderAndLosesNothing) {
    const NetworkSystem system = overlay_network();
    EXPECT_EQ(run_packets(system, {4000, 2, 9, 0, 3, 1}), "");
    EXPECT_EQ(run_packets(system, {1000, 2, 9, 9, 2, 2}), "");
    EXPECT_EQ(run_packets(system, {1000, 2, 9, 1, 2, 3}), "");
    EXPECT_EQ(run_packets(system, {600, 1, 9, 9, 1, 4, true}), "");
}

/// Packets of the CPU behind each other and among those of GPUs: some pass and some do not, all keep their order.
TEST(Overlay, TakesTheOrdinaryWayWhenTheOutputIsBusy) {
    const NetworkSystem system = overlay_network();
    const NetworkGraph& graph = system.topology.graph;
    const auto endpoint = [&](const std::string& name) {
        for (const NetworkEndpoint& e : graph.endpoints)
            if (e.name == name) return e;
        throw ModelError(name);
    };
    const unsigned cpu = endpoint("cpu[0]").terminals[0], far = endpoint("cube[4]").terminals[0];
    const unsigned near = endpoint("host_cube[0]").terminals[0], cube = endpoint("cube[8]").terminals[0];
    NetworkCore net(graph, *system.topology.routing, system.core(1, 1));
    Rng rng(3, 4);
    std::uint64_t tag = 0, last = 0;
    unsigned arrived = 0;
    while (tag < 400 || !net.idle()) {
        if (tag < 400 && net.backlog(cpu) < 2 && rng.below(3) == 0) net.offer({cpu, far, 9, 0, 5, ++tag}, net.now());
        if (tag < 400 && rng.below(12) == 0) net.offer({near, cube, 9, 0, 6, 0}, net.now()); // by the same channels
        net.step();
        for (const NetworkCore::Arrival& a : net.arrivals()) {
            if (const std::uint64_t one = net.packet(a.packet).tag; one != 0) {
                EXPECT_EQ(one, last + 1);
                last = one;
                ++arrived;
            }
            net.release(a.packet);
        }
        ASSERT_LT(net.now(), 100000U);
    }
    EXPECT_EQ(arrived, 400U);
    EXPECT_GT(net.passes(), 100U);
    EXPECT_GT(net.refused_passes(), 100U);
}

/// The overlay's ways on its own virtual channel, and all others without it.
TEST(Overlay, CantDeadlock) {
    const NetworkSystem system = overlay_network();
    const NetworkGraph& graph = system.topology.graph;
    const Routing& routing = *system.topology.routing;
    EXPECT_TRUE(find_circle(graph, routing).empty());
    const unsigned own = routing.pass_through()->virtual_channel;
    unsigned steps = 0;
    for (unsigned a = 0; a < graph.routers.size(); ++a)
        for (unsigned b = 0; b < graph.routers.size(); ++b) {
            if (a == b) continue;
            for (const RouteStep& step : routing.steps(a, b, RouteLeg::to_destination)) EXPECT_LE(step.vcs.end, own);
            if (!routing.overlaid(a, b)) continue;
            unsigned hops = 0;
            for (unsigned r = a; r != b; ++hops) {
                const std::vector<RouteStep> chain = routing.steps(r, b, RouteLeg::to_intermediate);
                ASSERT_EQ(chain.size(), 1U);
                EXPECT_EQ(chain[0].vcs.first, own);
                EXPECT_EQ(chain[0].vcs.end, own + 1);
                r = graph.channels[chain[0].channel].to;
            }
            EXPECT_EQ(hops, std::max(position(graph.routers[a]), position(graph.routers[b])));
            ++steps;
        }
    EXPECT_EQ(steps, 2U * 12) << "the CPU to the cubes of GPUs, and back; on the way to its own there is none to pass";
}

/// From input 0 to output 1 of a router with two virtual channels, places for 8 flits behind the output.
class PassOfARouter : public ::testing::Test {
  protected:
    PassOfARouter() : r_(3, 2, 8) {
        r_.core().set_credits(1, 8);
        r_.core().allow_pass(1);
    }
    bool begins(unsigned flits, Cycle quiet_since = 100) { return r_.core().begin_pass(0, 1, 1, flits, quiet_since); }
    OneRouter r_;
};

TEST_F(PassOfARouter, NeedsPlacesForAllOfThePacket) {
    EXPECT_FALSE(begins(9));
    EXPECT_TRUE(begins(8));
    r_.core().end_pass(1, 1);
    EXPECT_FALSE(begins(1)) << "all are taken";
    r_.credit(1, 1);
    EXPECT_TRUE(begins(1));
}

TEST_F(PassOfARouter, WaitsForNobodyAndClosesItsOutput) {
    r_.packet(2, 0, {1, 0b01}, 2); // has the switch at 2 and 3
    EXPECT_EQ(r_.run(3).size(), 1U);
    ASSERT_TRUE(begins(4));
    EXPECT_FALSE(begins(1)) << "one at a time";
    EXPECT_TRUE(r_.run(5).empty()) << "another virtual channel, and yet closed";
    r_.core().end_pass(1, 1);
    EXPECT_EQ(r_.run(5).size(), 1U);
}

TEST_F(PassOfARouter, WaitsForThePacketsBeforeIt) {
    r_.packet(0, 1, {1, 0b01}, 2);
    EXPECT_TRUE(r_.run(2).empty());
    EXPECT_FALSE(begins(1)) << "two flits lie in its buffer";
    EXPECT_EQ(r_.run(4), (std::vector<Left>{{2, 0, 1, 0}, {3, 0, 1, 0}}));
    EXPECT_FALSE(begins(1, 3)) << "they are still in the stages";
    EXPECT_TRUE(begins(1, 4));
}

TEST_F(PassOfARouter, NeedsItsVirtualChannel) {
    r_.packet(2, 0, {1, 0b10}, 9); // takes it at 1, and all places at 2 to 9
    r_.run(5);
    for (unsigned i = 0; i < 3; ++i) r_.credit(1, 1);
    EXPECT_FALSE(begins(1));
}

/// The host's writes and reads of all cubes, among kernels: what is read is what was written last.
TEST(OverlayFabric, GivesTheValuesOfASequentialExecution) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const nlohmann::json wrong = run_apart([seed] {
            SystemConfig c = fabric_system(5, FabricKind::wires);
            c.network.wires = {wire(0, 1), wire(1, 2), wire(2, 3), wire(3, 4), wire(4, 0)};
            for (unsigned s = 0; s < 5; ++s) c.network.overlay.push_back({"socket[" + std::to_string(s) + "]"});
            if (seed == 2) set_least_depths(c);
            RandomProgramShape shape;
            shape.kernels = 6;
            shape.blocks = 20;
            shape.accesses = 20;
            shape.lines = 16;
            return nlohmann::json(run_values(c, seed, shape));
        });
        EXPECT_EQ(wrong, "") << "seed " << seed;
    }
}

} // namespace
} // namespace numavp::test
