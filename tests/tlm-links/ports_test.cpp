/// Ports and wires: order and loss under back-pressure of any depth, to the cycle where it is uncontended.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tlm-links/protocol/ports.h"
#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {
namespace {

constexpr std::uint64_t kGigahertzKhz = 1'000'000;
constexpr std::uint64_t kNubaKhz = 1'410'000;

/// Sends numbered requests as fast as the wire lets it; takes responses at once or after a while.
struct Source final : sc_core::sc_module, Arbiter, RequesterIf, Handler {
    Source(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& p, unsigned depth, unsigned count,
           unsigned index = 0)
        : sc_module(name), Arbiter(clock, {0, kRankSm, index}), port("port", clock, {depth, Part::noc}, *this, 0),
          left(count), pool(p) {
        port.set_feeder(*this);
        start.handler = this;
        clock.at(1, start);
    }
    void deliver(Node& node) override {
        if (&node == &start) return wake();
        static_cast<End&>(node).refused->release();
    }
    void arbitrate() override {
        while (left && port.ready()) {
            Txn& txn = pool.make(Kind::load, 128ULL * sent++, ByteMask::full());
            port.send(txn, domain_.now() + latency);
            --left;
        }
    }
    bool response(unsigned, Txn& txn) override {
        received.push_back(txn.line / 128);
        received_at.push_back(domain_.now());
        if (refuse_every && received.size() % refuse_every == 0) {
            port.end_response(txn, domain_.now() + 3);
            ends.push_back(std::make_unique<End>(*this, txn));
            domain_.at(domain_.now() + 3, *ends.back()); // comes after the port's own
            return false;
        }
        txn.release();
        return true;
    }
    Node start;
    struct End final : Node { ///< when a refused response may be let go
        End(Source& source, Txn& txn) : refused(&txn) { handler = &source; }
        Txn* refused;
    };
    std::vector<std::unique_ptr<End>> ends;
    InitiatorPort port;
    unsigned left;
    unsigned sent = 0;
    unsigned latency = 1;
    unsigned refuse_every = 0;
    std::vector<std::uint64_t> received;
    std::vector<Cycle> received_at;
    TxnPool& pool;
};

/// Serves up to `burst` requests at a time, now and then.
struct Sink final : sc_core::sc_module, Arbiter, ResponderIf, Handler {
    Sink(sc_core::sc_module_name name, ClockDomain& clock, unsigned inlet_depth, unsigned response_depth,
         unsigned index = 0)
        : sc_module(name), Arbiter(clock, {1, kRankSlice, index}),
          port("port", clock, {response_depth, Part::noc}, *this, 0), inlet(inlet_depth) {
        port.set_feeder(*this);
        tick.handler = this;
    }
    bool request(unsigned, Txn& txn) override {
        arrived.push_back(txn.line / 128);
        arrived_at.push_back(domain_.now());
        plan();
        const bool room = inlet.arrive(txn);
        if (!room) ++deferred;
        return room;
    }
    void deliver(Node&) override {
        planned = false;
        wake();
    }
    void arbitrate() override {
        for (unsigned i = 0; i < burst && !inlet.empty() && port.ready(); ++i) {
            Txn& txn = inlet.pop();
            if (Txn* admitted = inlet.admit()) port.end_request(*admitted, domain_.now() + 1);
            txn.set_response_status(tlm::TLM_OK_RESPONSE);
            port.send(txn, domain_.now() + 1);
        }
        if (!inlet.empty()) plan();
    }
    void plan() {
        if (planned) return;
        planned = true;
        domain_.at(domain_.now() + 1 + (interval ? rng.below(interval) : 0), tick);
    }
    TargetPort port;
    Inlet inlet;
    Node tick;
    bool planned = false;
    unsigned burst = 1;
    unsigned interval = 0;
    unsigned deferred = 0;
    Rng rng{5};
    std::vector<std::uint64_t> arrived;
    std::vector<Cycle> arrived_at;
};

void expect_all_in_order(const std::vector<std::uint64_t>& seen, unsigned count) {
    ASSERT_EQ(seen.size(), count);
    for (unsigned i = 0; i < count; ++i) ASSERT_EQ(seen[i], i);
}

struct PressureRow {
    unsigned request_depth, inlet_depth, response_depth;
    unsigned burst, interval;
    unsigned refuse_every;
};

TEST(Ports, NothingIsLostOrOvertakenUnderBackPressure) {
    const std::vector<PressureRow> rows = {
        {1, 1, 1, 1, 5, 0}, {1, 1, 1, 1, 7, 1}, {8, 1, 1, 1, 0, 2},   {8, 4, 1, 4, 9, 0},
        {8, 1, 4, 4, 9, 3}, {3, 2, 8, 2, 5, 1}, {16, 8, 8, 8, 20, 5}, {2, 1, 2, 1, 3, 4},
    };
    constexpr unsigned kCount = 2000;
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& clock = clockwork.domain(kGigahertzKhz);
    const ProtocolRules rules = ProtocolRules::platform(clock, clock);
    std::vector<std::unique_ptr<Source>> sources;
    std::vector<std::unique_ptr<Sink>> sinks;
    std::vector<std::unique_ptr<ProtocolChecker>> checkers;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto index = static_cast<unsigned>(i);
        sources.push_back(std::make_unique<Source>(("source" + std::to_string(i)).c_str(), clock, pool,
                                                   rows[i].request_depth, kCount, index));
        sinks.push_back(std::make_unique<Sink>(("sink" + std::to_string(i)).c_str(), clock, rows[i].inlet_depth,
                                               rows[i].response_depth, index));
        sources[i]->refuse_every = rows[i].refuse_every;
        sinks[i]->burst = rows[i].burst;
        sinks[i]->interval = rows[i].interval;
        checkers.push_back(bind_checked(sources[i]->port.socket, sinks[i]->port.socket,
                                        ("checker" + std::to_string(i)).c_str(), &rules));
    }
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        SCOPED_TRACE(i);
        expect_all_in_order(sinks[i]->arrived, kCount);
        expect_all_in_order(sources[i]->received, kCount);
        EXPECT_GT(sinks[i]->deferred, 0U) << "no back-pressure was tried";
        EXPECT_EQ(checkers[i]->ended(), kCount);
        checkers[i]->finish();
    }
    EXPECT_EQ(pool.in_flight(), 0U);
    EXPECT_TRUE(clockwork.idle());
}

TEST(Ports, AnUncontendedWireTakesItsLatencyAndARecordACycle) {
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& clock = clockwork.domain(kGigahertzKhz);
    Source source("source", clock, pool, 4, 4);
    Sink sink("sink", clock, 8, 8);
    source.latency = 10;
    source.port.socket.bind(sink.port.socket);
    sc_core::sc_start();
    EXPECT_EQ(sink.arrived_at, (std::vector<Cycle>{11, 11, 11, 11})) << "woken at 1, sent with 10 cycles";
    EXPECT_EQ(source.received_at, (std::vector<Cycle>{13, 14, 15, 16})) << "served one a cycle from 12 on";
}

TEST(Ports, WithDepthOneARecordIsSentWhenThePreviousOneIsTaken) {
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& clock = clockwork.domain(kGigahertzKhz);
    Source source("source", clock, pool, 1, 5);
    Sink sink("sink", clock, 1, 1);
    source.port.socket.bind(sink.port.socket);
    sc_core::sc_start();
    // 1: sent. 2: taken, woken, sent. 3: arrives while the inlet is being emptied: deferred, taken with END_REQ at 4.
    EXPECT_EQ(sink.arrived_at.front(), 2U);
    for (std::size_t i = 1; i < sink.arrived_at.size(); ++i)
        EXPECT_GT(sink.arrived_at[i], sink.arrived_at[i - 1]) << "two at once on a wire of one";
    expect_all_in_order(source.received, 5);
}

TEST(Ports, TwoClocksMeetWithoutLossInEitherDirection) {
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& fast = clockwork.domain(kNubaKhz);
    ClockDomain& slow = clockwork.domain(kGigahertzKhz);
    Source up("up", fast, pool, 2, 1000);
    Sink down("down", slow, 1, 2);
    down.interval = 4;
    up.refuse_every = 3;
    const ProtocolRules rules = ProtocolRules::platform(fast, slow);
    const auto checker = bind_checked(up.port.socket, down.port.socket, "checker", &rules);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    expect_all_in_order(up.received, 1000);
    checker->finish();
    EXPECT_EQ(pool.in_flight(), 0U);
}

TEST(Ports, BlockingTransportInsideThePlatformIsABreach) {
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& clock = clockwork.domain(kGigahertzKhz);
    Source source("source", clock, pool, 1, 0);
    Sink sink("sink", clock, 1, 1);
    source.port.socket.bind(sink.port.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    Txn& txn = pool.make(Kind::load, 0, ByteMask::full());
    sc_core::sc_time delay;
    EXPECT_THROW(source.port.socket->b_transport(txn, delay), sc_core::sc_report);
    txn.release();
}

// --- phases and payloads of others on a wire

TLM_DECLARE_EXTENDED_PHASE(PORTS_NOTE);

/// Stands between two ports and sends phases of its own with each record, both ways, before and after each call.
struct Chatterer final : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
    explicit Chatterer(sc_core::sc_module_name name) : sc_module(name), above("above"), below("below") {
        above.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
        below.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    }
    void chat(tlm::tlm_generic_payload& payload) {
        for (const bool forward : {true, false}) {
            tlm::tlm_phase note = PORTS_NOTE;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            const auto status =
                forward ? below->nb_transport_fw(payload, note, delay) : above->nb_transport_bw(payload, note, delay);
            ++notes;
            answered_otherwise += status != tlm::TLM_ACCEPTED || note != PORTS_NOTE;
        }
    }
    template <class Call> tlm::tlm_sync_enum between(tlm::tlm_generic_payload& payload, const Call& call) {
        payload.acquire();
        chat(payload);
        const tlm::tlm_sync_enum status = call();
        chat(payload);
        payload.release();
        return status;
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& ph, sc_core::sc_time& t) override {
        return between(p, [&] { return below->nb_transport_fw(p, ph, t); });
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& ph, sc_core::sc_time& t) override {
        return between(p, [&] { return above->nb_transport_bw(p, ph, t); });
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    tlm::tlm_target_socket<> above;
    tlm::tlm_initiator_socket<> below;
    unsigned notes = 0;
    unsigned answered_otherwise = 0;
};

TEST(Ports, IgnorablePhasesAreAcceptedAndChangeNothing) {
    constexpr unsigned kCount = 500;
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& clock = clockwork.domain(kGigahertzKhz);
    Source source("source", clock, pool, 4, kCount, 0), alone_source("alone_source", clock, pool, 4, kCount, 1);
    Sink sink("sink", clock, 1, 2, 0), alone_sink("alone_sink", clock, 1, 2, 1);
    for (Source* s : {&source, &alone_source}) s->refuse_every = 3;
    for (Sink* s : {&sink, &alone_sink}) s->interval = 4;
    Chatterer chatterer("chatterer");
    source.port.socket.bind(chatterer.above);
    chatterer.below.bind(sink.port.socket);
    alone_source.port.socket.bind(alone_sink.port.socket);
    sc_core::sc_start();
    EXPECT_GT(chatterer.notes, 8 * kCount);
    EXPECT_EQ(chatterer.answered_otherwise, 0U);
    expect_all_in_order(source.received, kCount);
    EXPECT_EQ(sink.arrived_at, alone_sink.arrived_at);
    EXPECT_EQ(source.received_at, alone_source.received_at);
    EXPECT_EQ(pool.in_flight(), 0U);
}

/// Of the base protocol, and none of the platform's.
struct Stranger final : sc_core::sc_module,
                        tlm::tlm_fw_transport_if<>,
                        tlm::tlm_bw_transport_if<>,
                        tlm::tlm_mm_interface {
    explicit Stranger(sc_core::sc_module_name name) : sc_module(name), out("out"), in("in") {
        out.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
        in.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
        payload.set_mm(this);
        payload.acquire();
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_ACCEPTED;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_ACCEPTED;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void free(tlm::tlm_generic_payload*) override {}

    tlm::tlm_sync_enum call(tlm::tlm_phase phase) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        return phase == tlm::BEGIN_REQ ? out->nb_transport_fw(payload, phase, delay)
                                       : in->nb_transport_bw(payload, phase, delay);
    }
    /// The sentence of the report that the call ends with.
    std::string report_of(tlm::tlm_phase phase) {
        try {
            call(phase);
        } catch (const sc_core::sc_report& report) {
            return report.get_msg();
        }
        return "none";
    }
    tlm::tlm_generic_payload payload;
    tlm::tlm_initiator_socket<> out;
    tlm::tlm_target_socket<> in;
};

TEST(Ports, APayloadThatIsNoRecordIsAnErrorThatNamesThePort) {
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& clock = clockwork.domain(kGigahertzKhz);
    Source source("source", clock, pool, 4, 1);
    Sink sink("sink", clock, 1, 1);
    Stranger stranger("stranger");
    stranger.out.bind(sink.port.socket);
    source.port.socket.bind(stranger.in);
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS)); // a request is out
    const char* const advice = " with a payload that is none of the platform's records; put an edge adapter between";
    EXPECT_EQ(stranger.report_of(tlm::BEGIN_REQ), std::string("sink.port: BEGIN_REQ") + advice);
    EXPECT_EQ(stranger.report_of(tlm::BEGIN_RESP), std::string("source.port: BEGIN_RESP") + advice);

    sc_core::sc_report_handler::set_actions("numavp/protocol", sc_core::SC_DO_NOTHING);
    EXPECT_EQ(stranger.call(tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
    EXPECT_EQ(stranger.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(stranger.call(tlm::BEGIN_RESP), tlm::TLM_COMPLETED);
    EXPECT_TRUE(sink.arrived.empty());
    EXPECT_TRUE(source.received.empty());
}

/// Counted as the end of a request, it would free a place on the wire that no record has.
TEST(Ports, AnEndOfNothingIsAnErrorAndChangesNothing) {
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& clock = clockwork.domain(kGigahertzKhz);
    Source source("source", clock, pool, 4, 0);
    Sink sink("sink", clock, 1, 1);
    Stranger stranger("stranger");
    stranger.out.bind(sink.port.socket);
    source.port.socket.bind(stranger.in);
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS));
    EXPECT_EQ(stranger.report_of(tlm::END_REQ), "source.port: END_REQ without a request that waits for it");
    EXPECT_TRUE(source.port.empty());
    try {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay;
        stranger.out->nb_transport_fw(stranger.payload, phase, delay);
        FAIL() << "an END_RESP without a response was taken";
    } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg(), "sink.port: END_RESP without a response that waits for it");
    }
    EXPECT_TRUE(sink.port.empty());
}

} // namespace
} // namespace numavp
