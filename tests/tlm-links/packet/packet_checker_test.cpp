/// The checker on a wire of packets, beside an endpoint and a network that break one rule each.
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tlm-links/packet/packet_checker.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Endpoint and network in one: what it sends to either side of the checker comes back to itself and is accepted.
struct EndsOfAWire final : sc_core::sc_module, PacketForwardIf, PacketBackwardIf {
    explicit EndsOfAWire(sc_core::sc_module_name name) : sc_module(name), endpoint("endpoint"), network("network") {
        endpoint.bind(static_cast<PacketBackwardIf&>(*this));
        network.bind(static_cast<PacketForwardIf&>(*this));
    }
    tlm::tlm_sync_enum nb_transport_fw(PacketPayload&, tlm::tlm_phase&, sc_core::sc_time&) override { return answer; }
    tlm::tlm_sync_enum nb_transport_bw(PacketPayload&, tlm::tlm_phase&, sc_core::sc_time&) override { return answer; }
    void b_transport(PacketPayload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(PacketPayload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(PacketPayload&) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    void in(PacketPayload& payload, tlm::tlm_phase phase = PACKET) {
        sc_core::sc_time delay;
        endpoint->nb_transport_fw(payload, phase, delay);
    }
    void out(PacketPayload& payload, tlm::tlm_phase phase = PACKET) {
        sc_core::sc_time delay;
        network->nb_transport_bw(payload, phase, delay);
    }
    PacketInitiatorSocket endpoint;
    PacketTargetSocket network;
    tlm::tlm_sync_enum answer = tlm::TLM_ACCEPTED;
};

/// A wire of terminal 0 of two, with room for 8 flits in each of two classes and each of four virtual channels.
struct CheckedWire {
    CheckedWire() : ledger({2, 2, 4, 8, 8, 50'000}) {
        ledger.on_breach = [this](const std::string& what) { breaches.push_back(what); };
        checker = bind_checked_packets(ends.endpoint, ends.network, "wire", 0, ledger);
        for (PacketPayload* p : {&a, &b}) p->to = 0, p->flits = 3, p->message_class = 1;
    }
    EndsOfAWire ends{"ends"};
    PacketLedger ledger;
    std::vector<std::string> breaches;
    std::unique_ptr<PacketChecker> checker;
    PacketPayload a, b;
};

struct BrokenWire {
    const char* name;
    void (*stimulus)(CheckedWire& wire);
    const char* said; ///< part of the first breach; empty: there must be none
};
void PrintTo(const BrokenWire& row, std::ostream* out) { *out << row.name; }

const BrokenWire kBrokenWires[] = {
    {"NothingIsWrong",
     [](CheckedWire& w) {
         w.ends.in(w.a);
         w.ends.out(w.a, CREDIT);
         w.ends.out(w.a);
         w.ends.in(w.a, CREDIT);
     },
     ""},
    {"NoFlits", [](CheckedWire& w) { w.a.flits = 0, w.ends.in(w.a); }, "no flits"},
    {"NoSuchTerminal", [](CheckedWire& w) { w.a.to = 2, w.ends.in(w.a); }, "there are 2"},
    {"NoSuchClass", [](CheckedWire& w) { w.a.message_class = 2, w.ends.in(w.a); }, "of class 2"},
    {"NoSuchChannel", [](CheckedWire& w) { w.ends.in(w.a), w.a.virtual_channel = 4, w.ends.out(w.a); },
     "virtual channel 4"},
    {"AnothersTerminal", [](CheckedWire& w) { w.a.from = 1, w.ends.in(w.a); }, "a packet of terminal 1 went in at 0"},
    {"NoRoomInTheNetwork", [](CheckedWire& w) { w.a.flits = 6, w.ends.in(w.a), w.ends.in(w.b); }, "room for 8"},
    {"NoRoomInTheEndpoint",
     [](CheckedWire& w) {
         w.a.flits = 6, w.ends.in(w.a), w.ends.out(w.a, CREDIT), w.ends.in(w.b), w.ends.out(w.a), w.ends.out(w.b);
     },
     "room for 8"},
    {"CreditForNothing", [](CheckedWire& w) { w.ends.out(w.a, CREDIT); }, "0 are under way"},
    {"CreditForMore", [](CheckedWire& w) { w.ends.in(w.a), w.a.flits = 4, w.ends.out(w.a, CREDIT); },
     "3 are under way"},
    {"InTwice", [](CheckedWire& w) { w.ends.in(w.a), w.ends.in(w.a); }, "went in again"},
    {"OutTwice", [](CheckedWire& w) { w.ends.in(w.a), w.ends.out(w.a), w.ends.out(w.a); }, "not inside"},
    {"OutElsewhere", [](CheckedWire& w) { w.a.to = 1, w.ends.in(w.a), w.ends.out(w.a); },
     "for terminal 1 came out at 0"},
    {"OutAsAnother", [](CheckedWire& w) { w.ends.in(w.a), w.a.flits = 2, w.ends.out(w.a); }, "as another one"},
    {"Overtaken",
     [](CheckedWire& w) {
         w.a.order = w.b.order = 5;
         w.ends.in(w.a);
         w.ends.in(w.b);
         w.ends.out(w.b);
     },
     "overtook"},
    {"ForALongTime",
     [](CheckedWire& w) {
         w.ends.in(w.a);
         sc_core::sc_start(sc_core::sc_time(60, sc_core::SC_NS));
         EXPECT_THAT(w.ledger.overdue(60'000), HasSubstr("has been inside for 60 ns"));
         w.ends.out(w.a);
     },
     "inside for 60 ns"},
    {"AnotherAnswer", [](CheckedWire& w) { w.ends.answer = tlm::TLM_UPDATED, w.ends.in(w.a); }, "acceptance"},
    {"AnotherPhase", [](CheckedWire& w) { w.ends.in(w.a, tlm::BEGIN_REQ); }, "no phase of packets"},
};

class PacketCheckers : public ::testing::TestWithParam<BrokenWire> {};

TEST_P(PacketCheckers, SayWhatIsWrong) {
    CheckedWire wire;
    GetParam().stimulus(wire);
    if (*GetParam().said == '\0') {
        EXPECT_THAT(wire.breaches, IsEmpty());
    } else {
        ASSERT_FALSE(wire.breaches.empty());
        EXPECT_THAT(wire.breaches.front(), HasSubstr(GetParam().said));
    }
}
INSTANTIATE_TEST_SUITE_P(All, PacketCheckers, ::testing::ValuesIn(kBrokenWires),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace numavp::test
