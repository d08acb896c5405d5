/// TLM-2.0 base protocol above, AXI4-Lite pins below: registers in RTL for the platform's driver, or for anybody.
///
/// Reads are of aligned 8-byte words, since a register may change when it is read; writes are of bytes within one, the
/// rest by strobes. Anything else is refused with TLM_BURST_ERROR_RESPONSE before it comes to the pins. DECERR becomes
/// TLM_ADDRESS_ERROR_RESPONSE, SLVERR TLM_GENERIC_ERROR_RESPONSE. One access at a time; END_REQ comes when the pins
/// have taken it, BEGIN_RESP with its answer. One edge a clock cycle, and none while nothing is in flight. Cycles: an
/// access is on the pins from the first edge after its request on, and its response begins at the edge of its last
/// handshake.
#pragma once

#include <functional>

#include "tlm-links/axi_lite/axi_lite_manager.h"
#include "tlm-links/gated_clock.h"
#include "tlm-links/line_access.h"
#include "tlm-links/serial_target.h"

namespace numavp {

class TlmToAxiLite final : public SerialTarget {
  public:
    SC_HAS_PROCESS(TlmToAxiLite);
    /// Sees the pins that settle before each edge: a monitor.
    using Observer = std::function<void(const rtl::AxiLiteManagerPins&, const rtl::AxiLiteSubordinatePins&)>;

    /// What lies outside `range` is answered TLM_ADDRESS_ERROR_RESPONSE; the pins' address is relative to it.
    TlmToAxiLite(sc_core::sc_module_name name, AddressRange range, const ClockDomain& clock,
                 rtl::AxiLiteSubordinate& subordinate);

    void observe(Observer observer) { observer_ = std::move(observer); }
    /// Edges so far: the cycles that the subordinate was simulated for.
    std::uint64_t cycles() const { return clock_.edges(); }

  private:
    void wake_after(std::uint64_t ps) override { clock_.run_after(ps); }
    void tick();
    void begin(tlm::tlm_generic_payload& payload);
    void end();
    tlm::tlm_response_status refusal(const tlm::tlm_generic_payload& payload) const;

    AddressRange range_;
    rtl::AxiLiteSubordinate& subordinate_;
    AxiLiteManagerCore core_;
    Observer observer_;
    GatedClock clock_;
    tlm::tlm_generic_payload* payload_ = nullptr; ///< on the pins
};

} // namespace numavp
