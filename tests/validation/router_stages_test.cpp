/// A socket's network of two stages of routers, in closed forms: what its channels carry and what they cost.
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "common/system/derived.h"
#include "common/system/load_system.h"
#include "tests/validation/one_sm.h"

namespace numavp::test {
namespace {

constexpr unsigned kPorts = 8, kOfRouter = 4, kSlot = 8;

/// Eight SMs and eight slices, whose packets take a slot each.
SystemConfig eight_by_eight(unsigned router_ports) {
    SystemConfig c = one_sm();
    c.socket.sms = c.socket.l2.slices = c.socket.memory.channels = kPorts;
    c.socket.l2.size_kib = 1024;
    c.socket.sm.warps = c.socket.sm.schedulers = 1; // a block each
    c.dispatch.blocks_per_cycle = kPorts;
    c.socket.noc.request_bytes_per_cycle = 4096;
    c.socket.noc.packet_cycles = kSlot;
    c.socket.noc.router_ports = router_ports;
    c.validate(Place("two stages"));
    return c;
}

/// A line of each slice.
std::array<std::uint64_t, kPorts> lines_of_slices(const SystemConfig& c) {
    std::array<std::uint64_t, kPorts> lines{};
    const AddressMap map = address_map(c);
    for (std::uint64_t at = 0; at < kPorts * kLineBytes; at += kLineBytes)
        lines[map.slice_of(at, SocketId(0))] = kHandBase + at;
    return lines;
}

/// Packets an SM and slot where block b, on SM b, stores its n-th sector to slice `slice_of(b, n)`.
template <class SliceOf> double packets_a_slot(const SystemConfig& c, unsigned blocks, const SliceOf& slice_of) {
    const std::array<std::uint64_t, kPorts> lines = lines_of_slices(c);
    const auto cycles = [&](unsigned n) {
        const CodeOf code = [&, n](std::uint64_t block, unsigned) {
            WarpCode stores;
            for (unsigned i = 0; i < n; ++i) {
                stores.push_back(store(lines.at(slice_of(static_cast<unsigned>(block), i))));
                stores.back().mask = 0xff; // a sector
            }
            return stores;
        };
        return run_block(c, 1, code, blocks)["cycles"].get<std::uint64_t>();
    };
    return kSlot * 1500.0 / static_cast<double>(cycles(2000) - cycles(500));
}

// Four SMs of one router and the four slices of one have two channels between them; the other two lead elsewhere.
TEST(RouterStages, ChannelsToOneRouterAreAllThatItsSlicesGet) {
    const auto of_one_router = [](unsigned block, unsigned n) { return (block + n) % kOfRouter; };
    EXPECT_NEAR(packets_a_slot(eight_by_eight(0), kOfRouter, of_one_router), 1.0, 0.01);
    EXPECT_NEAR(packets_a_slot(eight_by_eight(kOfRouter), kOfRouter, of_one_router), 0.5, 0.005);
}

// Each channel has two SMs, of which one sends to one router of slices and one to the other in each slot.
TEST(RouterStages, CarryAllThatUsesEachChannelOnceASlot) {
    const auto in_turns = [](unsigned block, unsigned n) {
        const unsigned router = (n + block / 2) % 2;
        return router * kOfRouter + (block / kOfRouter * 2 + block % 2 + n / 2 * 2) % kOfRouter;
    };
    EXPECT_NEAR(packets_a_slot(eight_by_eight(kOfRouter), kPorts, in_turns), 1.0, 0.02);
}

// Queues for each output at both stages: what one stage holds back another packet fills.
TEST(RouterStages, CarryRandomTrafficAsOneCrossbarDoes) {
    std::vector<std::vector<unsigned>> drawn(kPorts);
    for (unsigned b = 0; b < kPorts; ++b) {
        Rng rng(b + 1, 5);
        for (unsigned i = 0; i < 2000; ++i) drawn[b].push_back(static_cast<unsigned>(rng.below(kPorts)));
    }
    const auto random = [&](unsigned block, unsigned n) { return drawn[block][n]; };
    const double one = packets_a_slot(eight_by_eight(0), kPorts, random);
    const double two = packets_a_slot(eight_by_eight(kOfRouter), kPorts, random);
    EXPECT_GT(one, 0.9);
    EXPECT_NEAR(two, one, 0.02);
}

// A packet is received whole before it goes on: the second stage costs its time on a channel once more, each way.
TEST(RouterStages, CostAPacketItsTimeOnAChannel) {
    SystemConfig c = one_sm();
    c.socket.sms = c.socket.l2.slices = c.socket.memory.channels = kOfRouter;
    c.socket.noc.request_bytes_per_cycle = 4;
    c.socket.noc.response_bytes_per_cycle = 8;
    const auto chase = [](WarpCode& code) { code.push_back(load_past_l1(kHandBase, 1, 1)); };
    const double one = cycles_each(c, 1, chase);
    c.socket.noc.router_ports = kOfRouter;
    EXPECT_EQ(cycles_each(c, 1, chase), one + 8.0 / 4 + 136.0 / 8);
    c.socket.noc.latency_cycles += 3;
    EXPECT_EQ(cycles_each(c, 1, chase), one + 8.0 / 4 + 136.0 / 8 + 2 * 3);
}

} // namespace
} // namespace numavp::test
