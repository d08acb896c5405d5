/// Times of packets between sockets: closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/system/derived.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/packet/small_fabric.h"
#include "tlm-links/packet/network_interface.h"

namespace numavp::test {
namespace {

/// From the edge at which a packet is given to the network to the edge at which it is handed over: an edge to be taken
/// in, the closed form of `NetworkCore`, an edge to be handed over.
unsigned crossing_cycles(unsigned routers, unsigned channels, unsigned channel_cycles, unsigned flits) {
    return 1 + (1 + 1 + 4 * routers + channels * channel_cycles + 1 + flits - 1) + 1;
}

TEST(FabricLatency, OfAReadIsTheClosedForm) {
    SystemConfig c = fabric_system(2, FabricKind::line);
    c.placement.policy = PlacementKind::first_touch;
    const auto statistics = one_remote_read(c); // a request of 8 B, a response of 136: 1 and 3 flits of 64 B
    EXPECT_EQ(statistics["packets"], 2);
    EXPECT_EQ(statistics["flits"], 4);
    EXPECT_EQ(statistics["routers_passed"], 4);
    EXPECT_EQ(statistics["by_routers2"]["packets"], 2);
    EXPECT_EQ(statistics["by_routers2"]["latency_ps"], statistics["latency_ps"]);
    EXPECT_EQ(statistics["by_routers1"]["packets"], 0);
    EXPECT_FALSE(statistics.contains("by_routers3"));
    EXPECT_EQ(statistics["channel_flits"], 4);
    EXPECT_EQ(statistics["latency_ps"], 1000 * (crossing_cycles(2, 1, 3, 1) + crossing_cycles(2, 1, 3, 3)));
    EXPECT_EQ(statistics["energy_pj"], 4 * 64 * 8 * 2.0);
}

/// The GPU's terminals and the cube's have latencies of their own; the channels of GPUs count for energy.
TEST(FabricLatency, OfAReadFromACubeIsTheClosedForm) {
    SystemConfig c = cube_system(2, 1, FabricKind::sfbfly, 1);
    c.placement.policy = PlacementKind::page_interleave;
    c.network.terminal_ns = 4.0;
    c.network.cube_ns = 2.0;
    c.network.idle_pj_per_bit = 1.0;
    const CodeOf read = [](std::uint64_t block, unsigned) { // page 1 of cube 1, which is GPU 1's
        return block == 0 ? WarpCode{load(kHandBase + 4096, 2)} : WarpCode{};
    };
    const Workload workload = hand_workload({hand_launch("read", 2, 1, read)});
    System system(c, workload);
    system.run();
    const auto statistics = system.stats().values()["network"];
    const unsigned ways = 4 + 2 - 2; // where crossing_cycles() has 1 and 1
    EXPECT_EQ(statistics["packets"], 2);
    EXPECT_EQ(statistics["latency_ps"], 1000 * (crossing_cycles(2, 1, 3, 1) + crossing_cycles(2, 1, 3, 3) + 2 * ways));
    EXPECT_EQ(statistics["channel_flits"], 4);
    EXPECT_EQ(statistics["energy_pj"], 2 * 4 * 64 * 8 * 2.0) << "of a channel of the GPU and one between routers";
    // 2 directions between the two routers, 2 x 2 x 2 of the GPUs' channels
    const double cycles = system.stats().values()["system"]["cycles"];
    EXPECT_EQ(statistics["idle_energy_pj"], (10 * cycles - 8) * 64 * 8 * 1.0);
}

/// Cycles in which socket 1's warps add to words of socket 0, one each, over channels that carry several records a
/// cycle.
std::uint64_t cycles_of_remote_atomics(unsigned records_per_cycle) {
    return run_apart([=] {
               SystemConfig c = fabric_system(2, FabricKind::wires);
               c.network.wires = {wire(0, 1)};
               c.network.noc_khz = 8'000'000;
               c.network.records_per_cycle = records_per_cycle;
               c.link.lane_gbps = 400;
               c.socket.sms = 16;
               c.socket.l2.slices = 8;
               c.placement.policy = PlacementKind::first_touch;
               constexpr unsigned kLines = 64;
               const CodeOf place = [](std::uint64_t block, unsigned) {
                   WarpCode code;
                   for (unsigned i = 0; block == 0 && i < kLines; ++i)
                       code.push_back(store(kHandBase + i * kLineBytes));
                   return code;
               };
               const CodeOf add = [](std::uint64_t block, unsigned warp) {
                   WarpCode code;
                   for (unsigned i = 0; block >= 16 && i < 256; ++i) {
                       code.push_back(atomic(kHandBase + (warp * 17 + i) % kLines * kLineBytes));
                       code.back().mask = 1;
                   }
                   return code;
               };
               const Workload workload =
                   hand_workload({hand_launch("place", 2, 1, place), hand_launch("add", 32, 4, add)});
               System system(c, workload);
               system.run();
               return nlohmann::json(stat(nlohmann::json(system.stats().values()), "system.cycles"));
           })
        .get<std::uint64_t>();
}

/// 16,384 atomics: a record of each message class a cycle is the limit, or there is another one.
TEST(NetworkInterface, MovesAsManyRecordsACycleAsItIsSaid) {
    const std::uint64_t one = cycles_of_remote_atomics(1), two = cycles_of_remote_atomics(2);
    EXPECT_NEAR(static_cast<double>(one), 16384, 1000);
    EXPECT_NEAR(static_cast<double>(two), 8192, 1000);
    EXPECT_LE(cycles_of_remote_atomics(16), two);
}

/// A channel of 25.6 GB/s among routers of 64 GB/s: a flit of 64 B in 2.5 cycles, whose last bits come 2 cycles later
/// than on a fast channel. The third flit leaves 5 cycles after the first, which waits 2 cycles for its way and its
/// virtual channel in the router behind.
TEST(FabricLatency, OfAReadOverASlowLinkIsTheClosedForm) {
    SystemConfig c = fabric_system(2, FabricKind::wires);
    c.placement.policy = PlacementKind::first_touch;
    c.network.links = {{"slow", 25.6, 3.0, 5.0, 1.0}};
    c.network.wires = {{"socket[0]", "socket[1]", "", "slow", 1}};
    const CodeOf place = [](std::uint64_t block, unsigned) {
        return block == 1 ? WarpCode{store(kHandBase)} : WarpCode{};
    };
    const CodeOf read = [](std::uint64_t block, unsigned) {
        return block == 0 ? WarpCode{load(kHandBase, 2)} : WarpCode{};
    };
    const Workload workload = hand_workload({hand_launch("place", 2, 1, place), hand_launch("read", 2, 1, read)});
    System system(c, workload);
    system.run();
    const auto statistics = system.stats().values()["network"];
    const unsigned request = crossing_cycles(2, 1, 3 + 2, 1);
    const unsigned response = crossing_cycles(2, 1, 3 + 2, 1) + 5 - 2;
    EXPECT_EQ(statistics["latency_ps"], 1000 * (request + response));
    EXPECT_EQ(statistics["energy_pj"], 4 * 64 * 8 * 5.0);
    const double cycles = system.stats().values()["system"]["cycles"];
    EXPECT_NEAR(statistics["idle_energy_pj"], (2 * cycles / 2.5 - 4) * 64 * 8 * 1.0, 1.0);
}

TEST(FabricLatency, CountsInTheNetworksOwnClock) {
    SystemConfig c = fabric_system(2, FabricKind::line);
    c.placement.policy = PlacementKind::first_touch;
    c.network.noc_khz = 500'000;
    c.network.channel_ns = 6.0;
    const auto statistics = one_remote_read(c);
    // Both clocks have an edge at every second ns; what is sent between two edges waits for the next.
    const unsigned cycles = crossing_cycles(2, 1, 3, 1) + crossing_cycles(2, 1, 3, 3);
    EXPECT_GE(statistics["latency_ps"], 2000 * (cycles - 2));
    EXPECT_LE(statistics["latency_ps"], 2000 * cycles);
}

} // namespace
} // namespace numavp::test
