/// Packets through the relay in RTL, whole and with a fault (tests/mutation/rtl.json), and who notices each fault; then
/// the bridges from and to TLM with relays between them.
#include <deque>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "rtl/flit_blocks.h"
#include "rtl/flit_retry_blocks.h"
#include "tests/tlm-links/flit_loop.h"
#include "tests/tlm-links/flits/checked/checked_relay.h"
#include "tests/tlm-links/flits/random_packet.h"
#include "tlm-links/flits/flit_channel.h"
#include "tlm-links/flits/flit_monitor.h"
#include "tlm-links/flits/flit_retry_monitor.h"
#include "tlm-links/flits/lossy_relay.h"

namespace numavp::test {
namespace {

/// Who notices a fault.
enum Witness : unsigned {
    kNobody = 0,
    kValues = 1,    ///< a packet or a byte differs
    kMonitor = 2,   ///< FlitMonitor, liveness included
    kAssertion = 4, ///< flit_checker.sv or the relay's own
    kEnd = 8,       ///< something never arrives or is left over
    kObjects = 16   ///< sender or receiver throw a ModelError
};

std::string names_of(unsigned witnesses) {
    std::string names;
    const char* const all[] = {"values", "monitor", "assertion", "end", "objects"};
    for (unsigned i = 0; i < 5; ++i)
        if ((witnesses >> i & 1U) != 0) names += std::string(names.empty() ? "" : ", ") + all[i];
    return names;
}

/// Random packets over a channel with pauses of both owners.
class Traffic {
  public:
    Traffic(unsigned relay_fault, unsigned starve)
        : relay_(relay_fault, starve), channel_({{3, 20}, {8, 2}}, &relay_), above_(8, 2'000), below_(8, 2'000) {}

    unsigned witnesses() {
        unsigned seen = kNobody;
        try {
            for (unsigned i = 0; i < 60'000 && !(done_ == kPackets && channel_.idle()); ++i) edge();
        } catch (const ModelError&) {
            seen |= kObjects;
            relay_.settle(channel_.above().tx, channel_.below().rx); // whose edge it is, too
            relay_.edge();
        }
        if ((seen & kObjects) == 0) {
            if (done_ != kPackets || !channel_.idle()) seen |= kEnd;
            above_.finish();
            below_.finish();
        }
        if (wrong_) seen |= kValues;
        if (!above_.breaches().empty() || !below_.breaches().empty()) seen |= kMonitor;
        if (relay_.assertion_broken()) seen |= kAssertion;
        return seen;
    }

  private:
    static constexpr unsigned kPackets = 2'000;

    void edge() {
        if (quiet_ == 0 && random_.chance(1, 60)) quiet_ = 5 + static_cast<unsigned>(random_.below(50));
        if (quiet_ != 0) --quiet_;
        if (begun_ < kPackets && quiet_ == 0 && channel_.sender.can_take() && random_.chance(2, 3)) begin();
        above_.observe(channel_.above());
        below_.observe(channel_.below());
        channel_.edge();
        while (channel_.sender.pop_sent()) {}
        if (!holding_ && random_.chance(1, 40)) holding_ = true;
        if (holding_ && random_.chance(1, 20)) holding_ = false;
        while (!holding_ && channel_.receiver.any()) end();
    }
    void begin() {
        sent_.push_back(random_packet(random_));
        channel_.sender.take(sent_.back());
        ++begun_;
    }
    void end() {
        wrong_ = wrong_ || sent_.empty() || !same_packet(sent_.front(), channel_.receiver.front());
        if (!sent_.empty()) sent_.pop_front();
        channel_.receiver.pop();
        ++done_;
    }

    CheckedRelay relay_;
    FlitChannel channel_;
    FlitMonitor above_, below_;
    Rng random_{5};
    std::deque<Packet> sent_;
    unsigned begun_ = 0, done_ = 0;
    unsigned quiet_ = 0;
    bool holding_ = false;
    bool wrong_ = false;
};

/// A second packet that comes while the relay lets its lower side go: the ends are at rest, and the relay holds it.
TEST(FlitRest, ComesWhenTheRelayHoldsNothing) {
    for (const unsigned starve : {0U, 120U, 220U})
        for (const unsigned places : {1U, 15U})
            for (unsigned gap = 1; gap <= 60; ++gap) {
                rtl::FlitRelayBlock relay(starve);
                FlitChannel channel({{2, 1}, {places, 1}}, &relay);
                Packet packet;
                packet.kind = PacketKind::read;
                packet.length = 8;
                unsigned arrived = 0, edges = 0;
                const auto edge = [&] {
                    channel.edge();
                    while (channel.sender.pop_sent()) {}
                    for (; channel.receiver.any(); channel.receiver.pop()) ++arrived;
                    ++edges;
                };
                channel.sender.take(packet);
                while (edges < gap) edge();
                packet.id = 1;
                channel.sender.take(packet);
                do edge();
                while (!channel.idle() && edges < 20'000);
                EXPECT_EQ(arrived, 2U) << "starve " << starve << ", " << places << " places, " << gap
                                       << " edges between";
            }
}

struct Fault {
    unsigned number;
    const char* what;
    unsigned witnesses;
};

TEST(FlitTraffic, ArrivesAsItWasSent) { EXPECT_EQ(names_of(Traffic(0, 60).witnesses()), ""); }

TEST(RtlFaults, OfTheRelay) {
    const Fault faults[] = {
        {0, "none", kNobody},
        {1, "four credits more than places", kMonitor | kAssertion | kObjects},
        {2, "the start of packets is lost", kMonitor | kAssertion | kObjects},
        {3, "credits are granted when nobody asks", kMonitor | kAssertion},
        {4, "no credit is granted", kMonitor | kAssertion | kEnd},
        {5, "a flit is dropped", kMonitor | kAssertion | kObjects},
        {6, "a returned credit is counted twice", kMonitor | kAssertion | kEnd},
        {7, "activation is never acknowledged", kMonitor | kAssertion | kEnd},
        {8, "the link stops while credits are out", kMonitor | kAssertion},
        {9, "a flit overtakes", kValues | kMonitor | kAssertion | kObjects},
        {10, "a bit flips", kValues},
        {11, "flits go while the link is deactivated", kMonitor | kAssertion | kObjects},
        {12, "flits go without a credit", kMonitor | kAssertion | kObjects},
        {13, "a flit goes twice", kValues | kMonitor | kObjects},
        {14, "credits are returned that are not there", kMonitor | kAssertion | kObjects},
        {15, "credits are not returned", kMonitor | kAssertion | kEnd},
        {16, "the link is deactivated within a packet", kMonitor | kAssertion},
        {17, "activation is asked for before the stop", kMonitor | kAssertion},
        {18, "the end of packets is lost", kMonitor | kAssertion | kObjects},
    };
    for (const Fault& fault : faults)
        EXPECT_EQ(names_of(Traffic(fault.number, 60).witnesses()), names_of(fault.witnesses))
            << fault.number << ": " << fault.what;
}

// --- the bridges

TEST(FlitBridges, ServeOddAccessesInAnyOrder) {
    Clockwork clockwork("clockwork");
    const ProtocolRules rules;
    rtl::FlitRelayBlock down(60), up(60);
    FlitLoopParts parts;
    parts.initiator = {"odd", 0, ResponseAnswer::later, 300, 16, 20'001, 3'001, true};
    parts.target = {"any order", RequestAnswer::accepted, true, 4'777, 60'011, true};
    parts.count = 2'000;
    parts.relays = {&down, &up};
    FlitLoop loop(1, parts, clockwork.domain(1'000'000), rules);
    sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_MS));
    loop.checker_above->finish();
    loop.checker_below->finish();
    EXPECT_EQ(loop.initiator.wrong(), 0U);
    EXPECT_EQ(loop.wrong_values(), "");
    EXPECT_EQ(loop.left_over(), "");
    EXPECT_TRUE(loop.breaches().empty());
}

/// Requests and responses over lines with an error in 30 flits; the clock stops while nothing is under way.
TEST(FlitBridges, ServeOverLinesWithErrors) {
    Clockwork clockwork("clockwork");
    const ProtocolRules rules;
    const LossyRelayConfig line{5, 3, {}};
    rtl::FlitRetrySenderBlock sender_down(100), sender_up(8);
    rtl::FlitRetryReceiverBlock receiver_down(line.round_trip()), receiver_up(line.round_trip());
    FlitBitErrors errors_down(1e-4, 1), errors_up(1e-4, 2);
    unsigned damaged = 0;
    const auto damage_by = [&damaged](FlitBitErrors& errors) {
        return [&damaged, &errors](rtl::RetryFlitPins& flit) {
            errors(flit);
            damaged += flit.crc == retry_crc(flit) ? 0 : 1;
        };
    };
    LossyRelay down(sender_down, receiver_down, {line.line_cycles, line.answer_cycles, damage_by(errors_down)});
    LossyRelay up(sender_up, receiver_up, {line.line_cycles, line.answer_cycles, damage_by(errors_up)});
    FlitLoopParts parts;
    parts.initiator = {"odd", 0, ResponseAnswer::later, 300, 16, 20'001, 3'001, true};
    parts.target = {"any order", RequestAnswer::accepted, true, 4'777, 60'011, true};
    parts.count = 1'000;
    parts.relays = {&down, &up};
    FlitLoop loop(1, parts, clockwork.domain(1'000'000), rules);
    sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_MS));
    loop.checker_above->finish();
    loop.checker_below->finish();
    EXPECT_EQ(loop.wrong_values(), "");
    EXPECT_EQ(loop.left_over(), "");
    EXPECT_EQ(loop.breaches(), "");
    EXPECT_GT(damaged, 50U);
    EXPECT_LT(loop.clock.cycles(), 1'000'000U) << "of 20 million";
}

} // namespace
} // namespace numavp::test
