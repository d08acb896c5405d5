/// Channels that add to packets (an overhead, granules), and cut channels: rates and times by closed forms.
#include <gtest/gtest.h>

#include "platform/network/traffic.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/packet/small_fabric.h"
#include "tlm-links/flits/channel_cut.h"
#include "tlm-links/packet/network_core.h"
#include "tlm-links/packet/packet_protocol.h"
#include "tlm-links/topology/explicit_network.h"

namespace numavp::test {
namespace {

constexpr unsigned kDressedLatency = 3, kFlitBytes = 16;

/// Two routers with a terminal each.
Topology two_routers(std::uint32_t interval, const WireFormat& format) {
    NetworkGraph made;
    for (unsigned n = 0; n < 2; ++n) {
        made.routers.push_back("r" + std::to_string(n));
        made.endpoints.push_back({made.routers.back(), true, n, {}});
        made.attach(n, n, 1);
    }
    made.connect(0, 1, {kDressedLatency, interval, 0, 0, format});
    return make_explicit(std::move(made), 4, Place("graph"));
}

NetworkCoreConfig core_config() {
    NetworkCoreConfig config;
    config.classes = 2;
    config.virtual_channels = 4;
    return config;
}

/// Cycles until a packet that meets nobody is at its terminal.
Cycle alone(NetworkCore& net, unsigned flits, unsigned bytes, std::uint64_t tag = 0) {
    const Cycle begun = net.now();
    const PacketIndex packet = net.offer({0, 1, flits, 0, 0, tag, bytes}, begun);
    do net.step();
    while (net.arrivals().empty());
    net.release(packet);
    return net.now() - 1 - begun;
}

struct FormatRow {
    const char* name;
    unsigned overhead, granule, bytes, wire_bytes;
};

class Formats : public ::testing::TestWithParam<FormatRow> {};
void PrintTo(const FormatRow& row, std::ostream* out) { *out << row.name; }

/// Six cycles a flit: what a channel carries in the long run, and what it counts.
TEST_P(Formats, TakeTheirBytesOfTheChannel) {
    const FormatRow& row = GetParam();
    constexpr std::uint32_t kInterval = 6 * NetworkChannel::kCycle;
    const WireFormat format{row.overhead, row.granule, kFlitBytes};
    EXPECT_EQ(format.wire_bytes(row.bytes), row.wire_bytes);
    const Topology made = two_routers(kInterval, format);
    NetworkCore net(made.graph, *made.routing, core_config());
    const unsigned flits = (row.bytes + kFlitBytes - 1) / kFlitBytes;
    constexpr unsigned kPackets = 2000;
    for (unsigned i = 0; i < kPackets; ++i) net.offer({0, 1, flits, i % 2, 0, i, row.bytes}, 0);
    while (!net.idle()) {
        net.step();
        for (const NetworkCore::Arrival& a : net.arrivals()) net.release(a.packet);
    }
    const double cycles = static_cast<double>(net.now()), wire = 6.0 * row.wire_bytes / kFlitBytes;
    EXPECT_NEAR(cycles / kPackets, wire, 0.002 * wire + 40.0 / kPackets);
    EXPECT_NEAR(static_cast<double>(net.channel_load(0)) / WireFormat::kFlit * kFlitBytes, kPackets * row.wire_bytes,
                1);
    EXPECT_EQ(net.channel_flits(0), std::uint64_t{kPackets} * flits);
}

/// A packet alone takes its time without the format, and the overhead's more.
TEST_P(Formats, DelayAPacketByTheirOverhead) {
    const FormatRow& row = GetParam();
    for (const std::uint32_t interval : {NetworkChannel::kCycle, 6 * NetworkChannel::kCycle}) {
        const unsigned flits = (row.bytes + kFlitBytes - 1) / kFlitBytes;
        const Topology made = two_routers(interval, {row.overhead, row.granule, kFlitBytes});
        const Topology bare = two_routers(interval, {});
        NetworkCore net(made.graph, *made.routing, core_config()), without(bare.graph, *bare.routing, core_config());
        const double extra = static_cast<double>(row.wire_bytes) / kFlitBytes - flits;
        const double cycles = extra * interval / NetworkChannel::kCycle;
        const double more =
            static_cast<double>(alone(net, flits, row.bytes)) - static_cast<double>(alone(without, flits, row.bytes));
        if (flits == 1)
            EXPECT_EQ(more, std::max(0.0, std::floor(cycles))) << interval;
        else // flits behind the head leave in whole cycles, at least one apart
            EXPECT_NEAR(more, interval == NetworkChannel::kCycle ? std::max(0.0, cycles) : cycles, 1.0) << interval;
    }
}

/// What `numavp network` computes of an idle packet is what the simulation gives, of full flits.
TEST_P(Formats, HaveTheClosedFormOfAnIdlePacket) {
    const FormatRow& row = GetParam();
    for (const std::uint32_t interval : {NetworkChannel::kCycle, 5 * NetworkChannel::kCycle / 2})
        for (const unsigned flits : {1U, 2U, 9U}) {
            const Topology made = two_routers(interval, {row.overhead, row.granule, kFlitBytes});
            NetworkCore net(made.graph, *made.routing, core_config());
            EXPECT_EQ(alone(net, flits, 0), idle_way(made.graph, *made.routing, 0, 1, flits).cycles)
                << interval << " " << flits;
        }
}
INSTANTIATE_TEST_SUITE_P(
    All, Formats,
    ::testing::Values(FormatRow{"overhead", 16, 0, 144, 160}, FormatRow{"framed_line", 12, 4, 136, 148},
                      FormatRow{"framed_request", 12, 4, 8, 20}, FormatRow{"tight_request", 0, 4, 8, 8},
                      FormatRow{"tight_line", 0, 8, 136, 136}, FormatRow{"coarse", 8, 64, 136, 192}),
    [](const auto& test) { return std::string(test.param.name); });

/// A packet of F flits over pins that need f edges for it: the network's flits are collected, then travel, then enter
/// the channel one by one.
TEST(CutChannels, AddTheTimeOfTheirFlits) {
    constexpr unsigned kLine = 5, kRead = 1; // flits of the pins
    TxnPool pool;
    for (const bool line : {false, true}) {
        const Topology made = two_routers(NetworkChannel::kCycle, {});
        NetworkCore net(made.graph, *made.routing, core_config()), whole(made.graph, *made.routing, core_config());
        ChannelCutConfig config;
        config.monitored = true;
        ChannelCut cut(config, {nullptr, nullptr});
        net.cut(0, cut);
        PacketPayload payload;
        Txn& txn = pool.make(line ? numavp::Kind::store : numavp::Kind::load, 0, ByteMask::full());
        payload.cargo = &txn;
        const unsigned flits = line ? 9 : 1;
        const auto tag = reinterpret_cast<std::uint64_t>(&payload);
        const Cycle uncut = alone(whole, flits, 0);
        const unsigned pins = line ? kLine : kRead;
        const Cycle moved = uncut + (flits - 1) + pins; // its flits follow each other twice
        EXPECT_EQ(alone(net, flits, 0, tag), moved + 2) << "at rest";
        if (!line) { // a line's flits leave the pins at rest for longer than they linger
            EXPECT_EQ(alone(net, flits, 0, tag), moved) << "in operation";
        }
        EXPECT_FALSE(net.relays_at_rest());
        net.skip_to(net.now() + 200);
        EXPECT_TRUE(net.relays_at_rest());
        EXPECT_EQ(cut.disagreement(), "");
        txn.release();
    }
}

/// A read over a cut channel takes the time of both packets more.
TEST(CutChannels, ArePartOfASystem) {
    const auto cycles = [](LinkCutKind cut) {
        return run_apart([cut] {
                   SystemConfig c = fabric_system(2, FabricKind::ring);
                   c.network.dress.cut = cut;
                   c.checks.protocol = true;
                   return nlohmann::json(one_remote_read(c)["latency_ps"]);
               })
            .get<std::uint64_t>();
    };
    // The network's clock is 1 GHz. A request of one flit of 64 B and one flit of the pins, an answer of 3 and 5.
    EXPECT_EQ(cycles(LinkCutKind::flits) - cycles(LinkCutKind::none), 1000 * ((0 + 1 + 2) + (2 + 5 + 2)));
}

} // namespace
} // namespace numavp::test
