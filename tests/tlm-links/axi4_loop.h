/// An initiator, a bridge to AXI4, a bridge from AXI4 and a target in a row, with checkers wherever there is a wire.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "tests/tlm-links/foreign_initiator.h"
#include "tests/tlm-links/foreign_target.h"
#include "tests/tlm-links/pin_join.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi/axi4_to_tlm.h"
#include "tlm-links/axi/tlm_to_axi4.h"
#include "tlm-links/protocol/protocol_checker.h"

namespace numavp::test {

struct LoopShape {
    Axi4ManagerConfig manager;
    Axi4SubordinateConfig subordinate;
    unsigned stall = 0; ///< of the pins between the bridges
};

class Axi4LoopChain {
  public:
    /// `n` numbers it and is its seed.
    Axi4LoopChain(std::size_t n, const InitiatorStyle& style, const TargetStyle& target_style, const LoopShape& shape,
                  unsigned count, const ClockDomain& clock);

    /// An SC_REPORT_ERROR if a transaction is open.
    void checkers_finish();
    /// The first breach on the pins, or nothing.
    std::string monitor_says();
    /// What is not as in a flat memory or did not end, or nothing.
    std::string what_is_wrong() const;
    bool ended() const { return initiator_.finished() && to_axi_.empty() && from_axi_.empty() && target_.empty(); }

  private:
    ProtocolRules rules_;
    ForeignInitiator initiator_;
    PinJoin join_;
    std::array<Axi4Monitor, 2> monitors_; ///< above and below the join
    TlmToAxi4 to_axi_;
    Axi4ToTlm from_axi_;
    ForeignTarget target_;
    std::array<std::unique_ptr<ProtocolChecker>, 2> checkers_;
};

} // namespace numavp::test
