/// TLM through credited flits and back, over the Verilated relay: initiators and targets of every legal style, each
/// value against a flat memory, pins under our monitor, time to the cycle.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "rtl/blocks.h"
#include "rtl/flit_blocks.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/tlm-links/flit_loop.h"

namespace numavp::test {
namespace {

using sc_core::sc_time;

/// Whose credits were seen in every number from none to all that its receiver has.
void expect_all_credits(const FlitMonitor& monitor, unsigned places) {
    for (unsigned i = 0; i <= places; ++i) EXPECT_GT(monitor.credit_edges()[i], 0U) << i << " credits";
}

void expect_right(FlitLoop& loop) {
    EXPECT_EQ(loop.left_over(), "");
    EXPECT_EQ(loop.wrong_values(), "");
    EXPECT_EQ(loop.breaches(), "");
    loop.checker_above->finish();
    loop.checker_below->finish();
}

struct Shape {
    const char* name;
    bool relayed;
    unsigned starve; ///< of 256
    FlitChannelConfig channel;
    unsigned ids;
};
const Shape kShapes[] = {
    {"wires", false, 0, {}, 16},
    {"relays", true, 0, {}, 16},
    {"starved", true, 200, {{1, 24}, {8, 1}}, 4},
    {"narrow", true, 120, {{2, 1}, {1, 1}}, 2},
    {"wide", true, 60, {{8, 40}, {15, 4}}, 64},
};

class FlitStyles : public ::testing::TestWithParam<std::size_t> {};

TEST_P(FlitStyles, AreAllServedRightly) {
    const Shape& shape = kShapes[GetParam()];
    NUMAVP_NEEDS(!shape.relayed || rtl::missing().empty(), rtl::missing());
    Clockwork clockwork("clockwork");
    const ClockDomain& domain = clockwork.domain(1'410'000);
    const ProtocolRules rules;
    std::vector<std::unique_ptr<rtl::CxsRelay>> relays;
    std::vector<std::unique_ptr<FlitLoop>> loops;
    std::vector<std::string> names;
    const std::size_t most = std::max(initiator_styles().size(), target_styles().size());
    for (std::size_t n = 0; n < most; ++n) {
        FlitLoopParts parts;
        parts.initiator = initiator_styles()[n % initiator_styles().size()];
        parts.target = target_styles()[n % target_styles().size()];
        parts.count = of_campaign(2'000, 200);
        parts.channel = shape.channel;
        parts.ids = shape.ids;
        for (std::size_t i = 0; shape.relayed && i < parts.relays.size(); ++i) {
            relays.push_back(std::make_unique<rtl::FlitRelayBlock>(shape.starve));
            parts.relays[i] = relays.back().get();
        }
        names.push_back(std::string(parts.initiator.name) + " to " + parts.target.name);
        loops.push_back(std::make_unique<FlitLoop>(n, parts, domain, rules));
    }
    sc_core::sc_start(sc_time(500, sc_core::SC_MS));
    for (std::size_t n = 0; n < loops.size(); ++n) {
        SCOPED_TRACE(names[n]);
        expect_right(*loops[n]);
    }
}
INSTANTIATE_TEST_SUITE_P(Shapes, FlitStyles, ::testing::Range(std::size_t{0}, std::size(kShapes)),
                         [](const auto& shape) { return kShapes[shape.param].name; });

class FlitMillion : public ::testing::TestWithParam<unsigned> {};

/// A million in all: eight of these.
TEST_P(FlitMillion, HasNoMismatchAndNoDeadlock) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    Clockwork clockwork("clockwork");
    const ProtocolRules rules;
    rtl::FlitRelayBlock down(20 + 20 * GetParam());
    rtl::FlitRelayBlock up(160 - 20 * GetParam());
    const unsigned n = GetParam();
    FlitLoopParts parts;
    parts.initiator = {"random", 0, ResponseAnswer::any, 64 + 16 * n, 16, 90'001, 1'009, n % 2 == 1};
    parts.target = {"quick", RequestAnswer::any, true, 900, 9'001, n % 4 < 2, n % 4 == 1};
    parts.count = of_campaign(125'000);
    parts.channel = {{4, 50}, {8, 2}};
    parts.relays = {&down, &up};
    FlitLoop loop(GetParam(), parts, clockwork.domain(1'000'000), rules);
    sc_core::sc_start(sc_time(1, sc_core::SC_SEC));
    expect_right(loop);
    for (const FlitMonitor& monitor : loop.monitors) expect_all_credits(monitor, 8);
    EXPECT_GT(loop.bridge.requests().starved_edges(), 0U);
    EXPECT_GT(loop.bridge_back.responses().starved_edges(), 0U);
}
INSTANTIATE_TEST_SUITE_P(Parts, FlitMillion, ::testing::Range(0U, 8U));

// --- bandwidth

TEST(FlitBandwidth, IsAFlitEveryCycle) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    rtl::FlitRelayBlock relay;
    for (rtl::CxsRelay* const between : {static_cast<rtl::CxsRelay*>(nullptr), static_cast<rtl::CxsRelay*>(&relay)}) {
        FlitChannel channel({}, between);
        Packet line;
        line.length = 128;
        line.bytes.resize(128);
        unsigned received = 0;
        constexpr unsigned kLines = 2'000;
        for (unsigned edge = 0; edge < 5 * kLines + 10; ++edge) { // ten to activate, to pass and to be taken
            while (channel.sender.can_take()) channel.sender.take(line);
            channel.edge();
            for (; channel.receiver.any(); channel.receiver.pop()) ++received;
        }
        EXPECT_GE(received, kLines);
        EXPECT_LE(received, kLines + 2);
    }
}

// --- time

/// Reads or writes so many bytes at given times, and notes how long each took.
struct Accesses final : sc_core::sc_module {
    SC_HAS_PROCESS(Accesses);
    Accesses(sc_core::sc_module_name name, unsigned bytes, std::vector<unsigned> at_ns)
        : sc_module(name), socket("socket"), data_(bytes), at_ns_(std::move(at_ns)) {
        SC_THREAD(read);
    }
    tlm_utils::simple_initiator_socket<Accesses> socket;
    std::vector<unsigned> taken_ns;

  private:
    void read() {
        for (const unsigned at : at_ns_) {
            const sc_time begin(at, sc_core::SC_NS);
            wait(begin - sc_core::sc_time_stamp());
            tlm::tlm_generic_payload payload;
            payload.set_read();
            payload.set_address(0);
            payload.set_data_ptr(data_.data());
            payload.set_data_length(static_cast<unsigned>(data_.size()));
            payload.set_streaming_width(static_cast<unsigned>(data_.size()));
            sc_time delay;
            socket->b_transport(payload, delay);
            taken_ns.push_back(
                static_cast<unsigned>((sc_core::sc_time_stamp() + delay - begin) / sc_time(1, sc_core::SC_NS)));
        }
    }
    std::vector<unsigned char> data_;
    std::vector<unsigned> at_ns_;
};

class FlitTime : public ::testing::TestWithParam<bool> {};

/// 8 cycles at rest and 4 in run for a request and a response of a flit each; 2 more a relay; a cycle a flit.
TEST_P(FlitTime, IsAsDocumentedAndNoneWhileIdle) {
    const bool relayed = GetParam();
    NUMAVP_NEEDS(!relayed || rtl::missing().empty(), rtl::missing());
    Clockwork clockwork("clockwork");
    std::vector<std::unique_ptr<rtl::FlitRelayBlock>> relays;
    rtl::CxsWires requests, responses, requests_below, responses_below;
    FlitClock clock("clock", clockwork.domain(1'000'000));
    std::vector<std::unique_ptr<FlitRelayStage>> stages;
    if (relayed) {
        for (unsigned i = 0; i < 2; ++i) relays.push_back(std::make_unique<rtl::FlitRelayBlock>());
        stages.push_back(std::make_unique<FlitRelayStage>(*relays[0], requests, requests_below));
        stages.push_back(std::make_unique<FlitRelayStage>(*relays[1], responses_below, responses));
        for (const auto& stage : stages) clock.add(*stage);
    }
    Accesses initiator("initiator", 128, {100, 117, 1'000'000});
    TlmToFlits bridge("bridge", {}, clock, {requests, responses});
    FlitsToTlm back("back", {}, clock, {relayed ? requests_below : requests, relayed ? responses_below : responses});
    ForeignTarget target("target", target_styles().front(), 1);
    initiator.socket.bind(bridge.socket);
    back.socket.bind(target.socket);
    sc_core::sc_start(sc_time(2, sc_core::SC_MS));
    const unsigned relay = relayed ? 4 : 0;
    const unsigned line = 4; // further flits of the response
    EXPECT_EQ(initiator.taken_ns, (std::vector<unsigned>{8 + line + relay, 4 + line + relay, 8 + line + relay}));
    EXPECT_LT(clock.cycles(), 200U); // of two million
    EXPECT_EQ(requests.tx.activereq || requests.rx.activeack || responses.tx.activereq || responses.rx.activeack,
              false);
}
INSTANTIATE_TEST_SUITE_P(Relays, FlitTime, ::testing::Bool());

/// A clock whose modules need no edge has none, not even at time 0, where an access could meet it too early.
TEST(FlitClocks, BeginWithTheFirstAccess) {
    Clockwork clockwork("clockwork");
    FlitClock clock("clock", clockwork.domain(1'000'000));
    unsigned observed = 0;
    clock.observe([&observed] { ++observed; });
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_EQ(clock.cycles(), 0U);
    EXPECT_EQ(observed, 0U);
    clock.tick_after(sc_core::sc_time_stamp().value());
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_EQ(clock.cycles(), 1U) << "it was asked for one";
}

/// Completes each access at once, with the next of some delays annotated.
struct LateAnswers final : sc_core::sc_module {
    LateAnswers(sc_core::sc_module_name name, std::vector<sc_time> delays)
        : sc_module(name), socket("socket"), delays_(std::move(delays)) {
        socket.register_nb_transport_fw(this, &LateAnswers::answer);
    }
    tlm_utils::simple_target_socket<LateAnswers> socket;

  private:
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_time& delay) {
        delay += delays_.at(answered_++);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    std::vector<sc_time> delays_;
    std::size_t answered_ = 0;
};

/// A response is sent at the first edge after its annotated time: not at an edge of that very time.
TEST(FlitAnswers, GoAtTheFirstEdgeAfterTheirTime) {
    Clockwork clockwork("clockwork");
    rtl::CxsWires requests, responses;
    FlitClock clock("clock", clockwork.domain(1'000'000));
    Accesses initiator("initiator", 16, {100, 200, 300, 400, 500});
    TlmToFlits bridge("bridge", {}, clock, {requests, responses});
    FlitsToTlm back("back", {}, clock, {requests, responses});
    LateAnswers target("target", {sc_time(0, sc_core::SC_PS), sc_time(999, sc_core::SC_PS), sc_time(1, sc_core::SC_NS),
                                  sc_time(1999, sc_core::SC_PS), sc_time(2, sc_core::SC_NS)});
    initiator.socket.bind(bridge.socket);
    back.socket.bind(target.socket);
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_EQ(initiator.taken_ns, (std::vector<unsigned>{8, 8, 9, 9, 10}));
}

} // namespace
} // namespace numavp::test
