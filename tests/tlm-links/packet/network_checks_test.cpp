/// Checks of routers, networks and the modules around them, a rule each: what arrives, in which order, when, and how
/// evenly routers serve. Rows of tests/mutation/packet.json name the check that finds them.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/network/traffic.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/packet/named_networks.h"
#include "tests/tlm-links/packet/one_router.h"
#include "tests/tlm-links/packet/packet_run.h"
#include "tests/tlm-links/packet/small_fabric.h"
#include "tlm-links/packet/terminal_choice.h"
#include "tlm-links/topology/explicit_network.h"

namespace numavp::test {
namespace {

/// A check says what is wrong; empty if nothing is.
using Check = std::function<std::string()>;

std::string conserved() {
    const NetworkSystem system = network("sfbfly-4g16h");
    if (std::string fault = run_packets(system, {2000, 2, 9, 0, 0, 1}); !fault.empty()) return fault;
    return run_packets(system, {500, 1, 9, 1, 0, 2});
}

/// All to one terminal: every buffer on the way is full.
std::string crowded() { return run_packets(network("sfbfly-4g16h"), {800, 1, 9, 6, 0, 1, true}); }

std::string ordered() { return run_packets(network("sfbfly-4g16h"), {3000, 1, 9, 0, 3, 3}); }

std::string ordered_by_ugal() {
    return run_packets(network("flatfly-64", {"routing=ugal"}), {6000, 1, 9, 0, 1, 3, true});
}

/// A packet passes a router with the packets before it still there.
std::string passes_behind() {
    OneRouter r(3, 2, 8);
    r.core().allow_pass(1);
    r.packet(0, 1, {1, 0b01}, 2);
    r.run(2);
    if (r.core().begin_pass(0, 1, 1, 1, 100)) return "it passed what lay in its buffer";
    r.run(4);
    return r.core().begin_pass(0, 1, 1, 1, 3) ? "it passed what was in the stages" : "";
}

/// An output that a packet passes to sends nothing else.
std::string passes_alone() {
    OneRouter r(3, 2, 8);
    r.core().allow_pass(1);
    r.packet(2, 0, {1, 0b01}, 2);
    r.run(2);
    if (!r.core().begin_pass(0, 1, 1, 4, 100)) return "it did not pass";
    return r.run(5).empty() ? "" : "others left by its output";
}

/// All packets of a line go the same way, or they could overtake each other.
std::string one_way_a_line() {
    const NetworkSystem system = network("dfbfly-4g16h-random-entry");
    const TerminalChoice choice(system.topology.graph, *system.topology.routing);
    for (std::uint64_t line = 0; line < 50 * kLineBytes; line += kLineBytes) {
        const TerminalChoice::Line hash{line_hash(line), 0};
        const unsigned exit = choice.exit(7, hash), entry = choice.entry(0, exit, hash);
        for (unsigned again = 0; again < 3; ++again)
            if (choice.entry(0, exit, hash) != entry) return "a line enters by several terminals";
    }
    return "";
}

/// A packet of 9 flits through 2 routers, 4 cycles each and for each of two channels, 1 to the vaults.
std::string idle_time() {
    const NetworkSystem system = network("sfbfly-4g16h");
    const NetworkGraph& graph = system.topology.graph;
    NetworkCore net(graph, *system.topology.routing, system.core(1, 1));
    const PacketIndex packet = net.offer({0, graph.endpoints[4 + 4].terminals[0], 9}, 0); // gpu[0] to cube[4]
    while (net.arrivals().empty()) net.step();
    if (net.packet(packet).routers != 2) return "it counted " + std::to_string(net.packet(packet).routers) + " routers";
    return net.now() - 1 == 1 + 4 + 2 * 4 + 4 + 1 + 8 ? "" : "it took " + std::to_string(net.now() - 1) + " cycles";
}

/// How many of the first `count` flits satisfy `is`; "" if it is within `slack` of `wanted`.
std::string share(const std::vector<Left>& left, std::size_t first, std::size_t count, unsigned wanted,
                  const std::function<bool(const Left&)>& is) {
    unsigned found = 0;
    for (std::size_t i = first; i < first + count && i < left.size(); ++i) found += is(left[i]) ? 1 : 0;
    const bool near = found + 2 >= wanted && found <= wanted + 2;
    return near ? "" : std::to_string(found) + " of " + std::to_string(count) + " flits";
}

std::string inputs_alike() {
    OneRouter r(4, 3, 64);
    for (unsigned input = 0; input < 3; ++input) r.packet(input, 0, {3, 1U << input}, 40);
    return share(r.run(120), 6, 60, 20, [](const Left& l) { return l.input == 2; });
}

/// 20 flits by an output that takes one in 2.5 cycles.
std::string slow_output() {
    OneRouter r(2, 1, 64);
    r.core().set_interval(1, 5U << 15);
    r.packet(0, 0, {1, 1}, 20);
    const std::vector<Left> left = r.run(100);
    if (left.size() != 20) return std::to_string(left.size()) + " flits left";
    return left.back().cycle == 2 + 48 ? "" : "the last left in cycle " + std::to_string(left.back().cycle);
}

/// Packets of one flit by a channel that takes one in 4 cycles and as much again for the overhead, 8 in all: the time
/// of the first, and of ten.
std::string with_overhead() {
    NetworkGraph graph;
    for (unsigned n = 0; n < 2; ++n) {
        graph.routers.push_back("r" + std::to_string(n));
        graph.endpoints.push_back({graph.routers.back(), true, n, {}});
        graph.attach(n, n, 1);
    }
    graph.connect(0, 1, {3, 4 * NetworkChannel::kCycle, 0, 0, {16, 0, 16}});
    const Topology made = make_explicit(std::move(graph), 4, Place("graph"));
    NetworkCoreConfig config;
    config.virtual_channels = 4;
    NetworkCore net(made.graph, *made.routing, config);
    for (unsigned i = 0; i < 10; ++i) net.offer({0, 1, 1, 0, 0, i}, 0);
    std::vector<Cycle> at;
    for (; !net.idle(); net.step())
        for (const NetworkCore::Arrival& a : net.arrivals()) {
            at.push_back(net.now() - 1);
            net.release(a.packet);
        }
    if (at.size() != 10 || at.back() - at.front() != 9 * 8) return "ten packets did not take 8 cycles each";
    return at.front() == idle_way(made.graph, *made.routing, 0, 1, 1).cycles ? "" : "the first took another time";
}

std::string outputs_alike() {
    OneRouter r(3, 2, 64);
    r.packet(0, 0, {1, 1}, 20);
    r.packet(0, 1, {2, 1}, 20);
    return share(r.run(60, true), 0, 20, 10, [](const Left& l) { return l.output == 2; });
}

std::string vcs_alike() {
    OneRouter r(2, 2, 64);
    r.packet(0, 0, {1, 0b01}, 20);
    r.packet(0, 1, {1, 0b10}, 20);
    return share(r.run(60, true), 2, 20, 10, [](const Left& l) { return l.vc == 1; });
}

std::string channels_alike() {
    OneRouter r(4, 1, 64);
    for (unsigned input = 0; input < 3; ++input)
        for (unsigned i = 0; i < 10; ++i) r.packet(input, 0, {3, 1}, 2);
    return share(r.run(200), 0, 30, 10, [](const Left& l) { return l.input == 2; });
}

std::string behind_a_tail() {
    OneRouter r(2, 1, 8);
    r.packet(0, 0, {1, 1}, 1);
    r.packet(0, 0, {1, 1}, 1);
    const std::vector<Left> left = r.run(10);
    return left.size() == 2 && left[1].cycle == 5 ? "" : "the packet behind a tail left at another cycle than 5";
}

/// One virtual channel with one place: a flit waits for the credit of the one before it, 2 L + 3 cycles.
std::string credit_loop() {
    NetworkSystem system = network("sfbfly-4g16h");
    NetworkCoreConfig config = system.core(1, 1);
    config.virtual_channels = 6;
    config.buffer_flits = 1;
    const NetworkGraph& graph = system.topology.graph;
    NetworkCore net(graph, *system.topology.routing, config);
    net.offer({0, graph.endpoints[4 + 4].terminals[0], 21}, 0);
    while (net.arrivals().empty()) net.step();
    const Cycle first = 1 + 4 + 2 * 4 + 4 + 1;
    const Cycle expected = first + 20 * (2 * 4 + 3);
    return net.now() - 1 == expected ? "" : "21 flits took " + std::to_string(net.now() - 1) + " cycles";
}

std::string both_channels() {
    const NetworkSystem system = network("storus-4g16h-2x");
    const NetworkGraph& graph = system.topology.graph;
    NetworkCore net(graph, *system.topology.routing, system.core(1, 1));
    for (unsigned i = 0; i < 400; ++i) {
        const PacketIndex packet = net.offer({0, graph.endpoints[4 + 4].terminals[0], 1}, net.now());
        while (net.arrivals().empty()) net.step();
        net.release(packet);
        net.step();
    }
    unsigned used = 0;
    for (unsigned c = 0; c < graph.channels.size(); ++c) used += net.channel_flits(c) > 100 ? 1 : 0;
    return used == 2 ? "" : std::to_string(used) + " channels carried packets";
}

std::string straight_when_idle() {
    const NetworkSystem system = network("flatfly-64", {"routing=ugal"});
    const NetworkGraph& graph = system.topology.graph;
    NetworkCore net(graph, *system.topology.routing, system.core(1, 1));
    for (unsigned target = 0; target < 64; ++target) {
        const PacketIndex packet = net.offer({0, target, 9}, net.now());
        while (net.arrivals().empty()) net.step();
        const unsigned hops = system.topology.routing->hops(graph.terminals[0].router, graph.terminals[target].router);
        if (net.packet(packet).routers != hops + 1) return "an idle network was left by another way than the shortest";
        net.release(packet);
        for (unsigned i = 0; i < 50; ++i) net.step();
    }
    return "";
}

// --- of the modules around them, in a system

std::string in_a_system() {
    return run_apart([] {
        RandomProgramShape shape;
        shape.blocks = 24;
        shape.accesses = 12;
        SystemConfig c = fabric_system(6, FabricKind::mesh);
        c.checks.stuck_cycles = 100'000;
        return nlohmann::json(run_values(c, 3, shape));
    });
}

/// With room for one packet everywhere.
std::string crowded_in_a_system() {
    return run_apart([] {
        RandomProgramShape shape;
        shape.blocks = 24;
        shape.accesses = 12;
        SystemConfig c = fabric_system(6, FabricKind::ring);
        set_least_depths(c);
        return nlohmann::json(run_values(c, 3, shape));
    });
}

/// Programs whose lines are written and read again at once, over slow channels.
std::string in_order_in_a_system() {
    for (std::uint64_t seed = 1; seed < 12; ++seed) {
        std::string wrong = run_apart([seed] {
            RandomProgramShape shape;
            shape.kernels = 8;
            shape.blocks = 16;
            shape.accesses = 20;
            shape.lines = 4;
            SystemConfig c = fabric_system(4, FabricKind::ring);
            c.network.flit_bytes = 4;
            return nlohmann::json(run_values(c, seed, shape));
        });
        if (!wrong.empty()) return wrong;
    }
    return "";
}

/// GPUs with several terminals, programs as above.
std::string in_order_with_cubes() {
    for (std::uint64_t seed = 1; seed < 12; ++seed) {
        std::string wrong = run_apart([seed] {
            RandomProgramShape shape;
            shape.kernels = 8;
            shape.blocks = 8;
            shape.accesses = 20;
            shape.lines = 4;
            SystemConfig c = cube_system(2, 2, FabricKind::sfbfly, 2);
            c.network.flit_bytes = 4;
            return nlohmann::json(run_values(c, seed, shape));
        });
        if (!wrong.empty()) return wrong;
    }
    return "";
}

std::string read_of_a_system(const char* statistic, std::uint64_t expected) {
    return run_apart([=] {
        SystemConfig c = fabric_system(2, FabricKind::line);
        c.placement.policy = PlacementKind::first_touch;
        try {
            const std::uint64_t value = one_remote_read(c)[statistic];
            return nlohmann::json(value == expected ? "" : statistic + (" is " + std::to_string(value)));
        } catch (const std::exception& error) {
            return nlohmann::json(error.what());
        }
    });
}

/// An edge to be taken in, 2 routers and a channel of 3 cycles between terminals of 1, an edge to be handed over.
std::string time_of_a_read() { return read_of_a_system("latency_ps", 2 * 1000 * (1 + 1 + 1 + 8 + 3 + 1 + 1) + 2000); }
std::string flits_of_a_read() { return read_of_a_system("flits", 4); }
std::string routers_of_a_read() { return read_of_a_system("routers_passed", 4); }

struct NamedCheck {
    const char* name;
    Check check;
};
void PrintTo(const NamedCheck& row, std::ostream* out) { *out << row.name; }

const NamedCheck kChecks[] = {{"Conserved", conserved},
                              {"Crowded", crowded},
                              {"Ordered", ordered},
                              {"OrderedByUgal", ordered_by_ugal},
                              {"PassesBehind", passes_behind},
                              {"PassesAlone", passes_alone},
                              {"IdleTime", idle_time},
                              {"InputsAlike", inputs_alike},
                              {"SlowOutput", slow_output},
                              {"WithOverhead", with_overhead},
                              {"OutputsAlike", outputs_alike},
                              {"VirtualChannelsAlike", vcs_alike},
                              {"ChannelsAlike", channels_alike},
                              {"BehindATail", behind_a_tail},
                              {"CreditLoop", credit_loop},
                              {"BothChannels", both_channels},
                              {"StraightWhenIdle", straight_when_idle},
                              {"OneWayALine", one_way_a_line},
                              {"InASystem", in_a_system},
                              {"CrowdedInASystem", crowded_in_a_system},
                              {"InOrderInASystem", in_order_in_a_system},
                              {"InOrderWithCubes", in_order_with_cubes},
                              {"TimeOfARead", time_of_a_read},
                              {"FlitsOfARead", flits_of_a_read},
                              {"RoutersOfARead", routers_of_a_read}};

class NetworkCheck : public ::testing::TestWithParam<NamedCheck> {};

TEST_P(NetworkCheck, FindsNothing) { EXPECT_EQ(GetParam().check(), ""); }

INSTANTIATE_TEST_SUITE_P(All, NetworkCheck, ::testing::ValuesIn(kChecks),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace numavp::test
