/// The two ends of a wire of packets, bound to each other and with a checker between.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tlm-links/packet/packet_checker.h"
#include "tlm-links/packet/packet_port.h"

namespace numavp::test {
namespace {

struct Owner final : PacketOwner {
    struct Came {
        std::uint64_t ps;
        unsigned port, number, flits; ///< number: terminal of a packet's target, or that of a credit
        bool operator==(const Came& o) const {
            return ps == o.ps && port == o.port && number == o.number && flits == o.flits;
        }
    };
    void packet(unsigned port, PacketPayload& packet) override {
        packets.push_back({sc_now_ps(), port, packet.to, packet.flits});
    }
    void credit(unsigned port, unsigned number, unsigned flits) override {
        credits.push_back({sc_now_ps(), port, number, flits});
    }
    std::vector<Came> packets, credits;
};

struct Ends final : sc_core::sc_module {
    Ends(sc_core::sc_module_name name, ClockDomain& clock, PacketOwner& of_endpoint, PacketOwner& of_network)
        : sc_module(name), endpoint("endpoint", clock, of_endpoint, 5), network("network", clock, of_network, 7) {}
    PacketInitiatorPort endpoint;
    PacketTargetPort network;
};

struct PortBench {
    PortBench() {
        packet.from = 0;
        packet.to = 1;
        packet.flits = 3;
        packet.message_class = 1;
        packet.virtual_channel = back.virtual_channel = 2;
    }
    /// A packet each way and room for it, a nanosecond apart.
    void run() {
        endpoint.send(packet, 3);
        network.send_credit(1, 3, 4);
        network.send(back, 5);
        endpoint.send_credit(2, 1, 6);
        sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
    }
    void compare() const {
        using Came = std::vector<Owner::Came>;
        EXPECT_EQ(of_network.packets, (Came{{3000, 7, 1, 3}}));
        EXPECT_EQ(of_endpoint.credits, (Came{{4000, 5, 1, 3}})) << "of a message class";
        EXPECT_EQ(of_endpoint.packets, (Came{{5000, 5, 0, 1}}));
        EXPECT_EQ(of_network.credits, (Came{{6000, 7, 2, 1}})) << "of a virtual channel";
    }

    Clockwork clockwork{"clockwork"};
    ClockDomain& clock = clockwork.domain(1'000'000);
    Owner of_endpoint, of_network;
    Ends ends{"ends", clock, of_endpoint, of_network};
    PacketInitiatorPort& endpoint = ends.endpoint;
    PacketTargetPort& network = ends.network;
    PacketPayload packet, back;
};

TEST(PacketPorts, CallEachOtherDirectlyIfNothingStandsBetween) {
    PortBench bench;
    bench.endpoint.socket.bind(bench.network.socket);
    bench.run();
    bench.compare();
    EXPECT_TRUE(bench.endpoint.direct());
    EXPECT_TRUE(bench.network.direct());
}

TEST(PacketPorts, CallWhatStandsBetween) {
    PortBench bench;
    PacketLedger::Rules rules;
    rules.terminals = 2;
    rules.classes = 2;
    rules.virtual_channels = 4;
    rules.inject_flits = rules.eject_flits = 8;
    PacketLedger ledger(rules);
    std::vector<std::string> breaches;
    ledger.on_breach = [&](const std::string& what) { breaches.push_back(what); };
    const auto checker = bind_checked_packets(bench.endpoint.socket, bench.network.socket, "wire", 0, ledger);
    bench.run();
    bench.compare();
    EXPECT_FALSE(bench.endpoint.direct());
    EXPECT_FALSE(bench.network.direct());
    EXPECT_EQ(breaches.size(), 1U) << "the packet that comes out never went in";
}

} // namespace
} // namespace numavp::test
