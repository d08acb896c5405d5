/// The status that an initiator reads, ours or a foreign one, is that of the answer, whichever is the first at its
/// port.
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "tlm-links/protocol/ports.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {
namespace {

using Statuses = std::map<std::uint64_t, tlm::tlm_response_status>; ///< by line

/// Sends two loads through a port of ours.
struct PortAsker final : sc_core::sc_module, Arbiter, RequesterIf, Handler {
    PortAsker(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& p)
        : sc_module(name), Arbiter(clock, {0, kRankSm, 0}), port("port", clock, {4, Part::noc}, *this, 0), pool(p) {
        start.handler = this;
        clock.at(1, start);
    }
    void deliver(Node&) override { wake(); }
    void arbitrate() override {
        for (; sent < 2; ++sent)
            port.send(pool.make(Kind::load, sent * std::uint64_t{kLineBytes}, ByteMask::full()), domain_.now() + 1);
    }
    bool response(unsigned, Txn& txn) override {
        statuses[txn.line] = txn.get_response_status();
        pool.end(txn);
        return true;
    }
    Node start;
    InitiatorPort port;
    TxnPool& pool;
    unsigned sent = 0;
    Statuses statuses;
};

/// Sends two records of the pool through a socket of its own.
struct ForeignAsker final : sc_core::sc_module, tlm::tlm_bw_transport_if<>, Handler {
    ForeignAsker(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& p)
        : sc_module(name), socket("socket"), pool(p) {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
        start.handler = this;
        clock.at(1, start);
    }
    void deliver(Node&) override {
        for (const std::uint64_t line : {std::uint64_t{0}, std::uint64_t{kLineBytes}}) {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            socket->nb_transport_fw(pool.make(Kind::load, line, ByteMask::full()), phase, delay);
        }
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&) override {
        statuses[payload.get_address()] = payload.get_response_status();
        payload.release();
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    Node start;
    tlm::tlm_initiator_socket<> socket;
    TxnPool& pool;
    Statuses statuses;
};

/// Answers the second of two requests before the first, the first with `status`.
struct LateServer final : sc_core::sc_module, Arbiter, ResponderIf, Handler {
    LateServer(sc_core::sc_module_name name, ClockDomain& clock)
        : sc_module(name), Arbiter(clock, {1, kRankSlice, 0}), port("port", clock, {4, Part::noc}, *this, 0) {
        tick.handler = this;
    }
    bool request(unsigned, Txn& txn) override {
        asked.push_back(&txn);
        if (asked.size() == 2) domain_.at(domain_.now() + 1, tick);
        return true;
    }
    void deliver(Node&) override { wake(); }
    void arbitrate() override {
        asked[1]->answer();
        asked[0]->answer(status);
        for (const unsigned i : {1U, 0U}) port.send(*asked[i], domain_.now() + 1);
    }
    Node tick;
    TargetPort port;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    std::vector<Txn*> asked;
};

void expect_statuses(tlm::tlm_response_status status) {
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& clock = clockwork.domain(1'000'000);
    PortAsker asker("asker", clock, pool);
    LateServer server("server", clock);
    server.status = status;
    asker.port.socket.bind(server.port.socket);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_EQ(asker.statuses, (Statuses{{0, status}, {kLineBytes, tlm::TLM_OK_RESPONSE}}));
    EXPECT_EQ(pool.in_flight(), 0U);
}

TEST(OutsideAnswers, OfPortsOfOursAreReadAsTheyWereGiven) { expect_statuses(tlm::TLM_OK_RESPONSE); }
TEST(OutsideAnswers, OfPortsOfOursHaveTheErrorOfTheirServer) { expect_statuses(tlm::TLM_ADDRESS_ERROR_RESPONSE); }

TEST(OutsideAnswers, OfAForeignModulesRecordsAreReadAsTheyWereGiven) {
    Clockwork clockwork("clockwork");
    TxnPool pool;
    ClockDomain& clock = clockwork.domain(1'000'000);
    ForeignAsker asker("asker", clock, pool);
    LateServer server("server", clock);
    server.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    asker.socket.bind(server.port.socket);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_EQ(asker.statuses, (Statuses{{0, tlm::TLM_ADDRESS_ERROR_RESPONSE}, {kLineBytes, tlm::TLM_OK_RESPONSE}}));
    EXPECT_EQ(pool.in_flight(), 0U);
}

} // namespace
} // namespace numavp
