/// Several processes of one initiator call a port, some by b_transport, one by both interfaces, also while a request
/// waits for its END_REQ: the port serves the calls in their order, so that each value is that of a flat memory.
#include <gtest/gtest.h>

#include "base/time/clockwork.h"
#include "tests/tlm-links/axi4_pin_models.h"
#include "tests/tlm-links/foreign_initiator.h"
#include "tests/tlm-links/foreign_target.h"
#include "tests/tlm-links/line_traffic.h"
#include "tlm-links/axi/tlm_to_axi4.h"
#include "tlm-links/edge/edge_initiator_adapter.h"
#include "tlm-links/flits/flits_to_tlm.h"
#include "tlm-links/flits/tlm_to_flits.h"
#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

constexpr unsigned kCallsOfProcesses = 1000;

/// The last style mixes both interfaces in one process; here three more processes block beside it.
InitiatorStyle several_processes() {
    InitiatorStyle style = initiator_styles().back();
    EXPECT_NE(style.blocking_percent, 0U);
    style.blocking_beside = 3;
    return style;
}

void expect_order_of_calls(ForeignInitiator& initiator, tlm::tlm_target_socket<>& port) {
    ProtocolChecker checker("checker");
    initiator.socket.bind(checker.above);
    checker.below.bind(port);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    EXPECT_TRUE(initiator.finished()) << initiator.answered();
    EXPECT_EQ(initiator.wrong(), 0U);
    checker.finish();
}

TEST(CallsOfSeveralProcesses, KeepTheirOrderAtTheEdgeAdapter) {
    Clockwork clockwork("clockwork");
    ClockDomain& clock = clockwork.domain(1'410'000);
    TxnPool pool;
    pool.functional = true;
    ForeignInitiator initiator("initiator", several_processes(), kCallsOfProcesses, 1);
    EdgeInitiatorConfig config;
    config.range = initiator.range;
    config.requests = 2; // so that requests wait
    EdgeInitiatorAdapter adapter("adapter", config, {clock, pool, {kSystemRank, kRankEdge, 0}});
    LineMemory memory("memory", 2, clock, 1);
    adapter.port.socket.bind(memory.port.socket);
    expect_order_of_calls(initiator, adapter.socket);
    EXPECT_TRUE(adapter.empty());
    EXPECT_EQ(memory.memory.first_difference(initiator.reference), std::nullopt);
}

TEST(CallsOfSeveralProcesses, KeepTheirOrderAtTheBridgeToAxi4) {
    Clockwork clockwork("clockwork");
    ForeignInitiator initiator("initiator", several_processes(), kCallsOfProcesses, 2);
    StructMemory memory(1);
    TlmToAxi4 bridge("bridge", {{}, initiator.range, 2}, clockwork.domain(1'410'000), memory);
    expect_order_of_calls(initiator, bridge.socket);
    EXPECT_TRUE(bridge.empty());
}

TEST(CallsOfSeveralProcesses, KeepTheirOrderAtTheBridgeToFlits) {
    Clockwork clockwork("clockwork");
    rtl::CxsWires requests, responses;
    FlitClock clock("flit_clock", clockwork.domain(1'410'000));
    ForeignInitiator initiator("initiator", several_processes(), kCallsOfProcesses, 3);
    TlmToFlits bridge("to_flits", {{}, 4, initiator.range}, clock, {requests, responses});
    FlitsToTlm back("from_flits", {{}, 8}, clock, {requests, responses});
    ForeignTarget target("target", target_styles().back(), 1);
    back.socket.bind(target.socket);
    expect_order_of_calls(initiator, bridge.socket);
    EXPECT_TRUE(bridge.empty() && back.empty());
    EXPECT_EQ(target.memory.first_difference(initiator.reference), std::nullopt);
}

} // namespace
} // namespace numavp::test
