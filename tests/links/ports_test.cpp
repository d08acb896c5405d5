/// Ports and wires: order and loss under back-pressure of any depth, to the cycle where it is uncontended.
#include <deque>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "models/base/rng.h"
#include "tlm-links/ports.h"
#include "tlm-links/protocol_checker.h"

namespace numavp {
namespace {

constexpr std::uint64_t kGigahertz = 1'000'000;
constexpr std::uint64_t kNuba = 1'410'000;

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
    ClockDomain& clock = clockwork.domain(kGigahertz);
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
    ClockDomain& clock = clockwork.domain(kGigahertz);
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
    ClockDomain& clock = clockwork.domain(kGigahertz);
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
    ClockDomain& fast = clockwork.domain(kNuba);
    ClockDomain& slow = clockwork.domain(kGigahertz);
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
    ClockDomain& clock = clockwork.domain(kGigahertz);
    Source source("source", clock, pool, 1, 0);
    Sink sink("sink", clock, 1, 1);
    source.port.socket.bind(sink.port.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    Txn& txn = pool.make(Kind::load, 0, ByteMask::full());
    sc_core::sc_time delay;
    EXPECT_THROW(source.port.socket->b_transport(txn, delay), sc_core::sc_report);
    txn.release();
}

TEST(Inlet, KeepsOneRecordAsideWhenFullAndAdmitsItAfterAPop) {
    TxnPool pool;
    Inlet inlet(1);
    Txn& first = pool.make(Kind::load, 0, ByteMask::full());
    Txn& second = pool.make(Kind::load, 128, ByteMask::full());
    EXPECT_TRUE(inlet.arrive(first));
    EXPECT_FALSE(inlet.arrive(second));
    EXPECT_EQ(inlet.size(), 2U);
    EXPECT_EQ(inlet.admit(), nullptr);
    EXPECT_EQ(&inlet.pop(), &first);
    EXPECT_EQ(inlet.admit(), &second);
    EXPECT_EQ(inlet.admit(), nullptr);
    EXPECT_EQ(&inlet.front(), &second);
    EXPECT_EQ(inlet.size(), 1U);
    first.release();
    second.release();
}

} // namespace
} // namespace numavp
