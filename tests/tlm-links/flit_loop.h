/// TLM -> flits -> relay -> flits -> TLM, with a monitor on each set of wires and a checker at both TLM ends.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "tests/tlm-links/foreign_initiator.h"
#include "tests/tlm-links/foreign_target.h"
#include "tlm-links/flits/flit_monitor.h"
#include "tlm-links/flits/flits_to_tlm.h"
#include "tlm-links/flits/tlm_to_flits.h"
#include "tlm-links/protocol/protocol_checker.h"

namespace numavp::test {

struct FlitLoopParts {
    InitiatorStyle initiator;
    TargetStyle target;
    unsigned count = 1000;
    FlitChannelConfig channel;
    unsigned ids = 16;
    std::array<rtl::CxsRelay*, 2> relays{}; ///< of requests, of responses
};

struct FlitLoop {
    FlitLoop(std::size_t n, const FlitLoopParts& parts, const ClockDomain& domain, const ProtocolRules& rules);
    ~FlitLoop();

    rtl::CxsWires requests_above, requests_below, responses_above, responses_below; ///< as TLM lies above
    std::array<FlitMonitor, 4> monitors;                                            ///< of these, in this order
    std::unique_ptr<FlitRelayStage> down, up;
    FlitClock clock;
    ForeignInitiator initiator;
    TlmToFlits bridge;
    FlitsToTlm bridge_back;
    ForeignTarget target;
    std::unique_ptr<ProtocolChecker> checker_above, checker_below;

    /// What is wrong after the simulation; empty: nothing.
    std::string wrong_values() const;
    std::string left_over() const;
    std::string breaches();
};

} // namespace numavp::test
