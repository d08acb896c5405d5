/// TLM-2.0 base protocol above, AXI4-Lite pins below: registers in RTL for the platform's driver, or any TLM initiator.
///
/// Reads are of aligned 8-byte words, since a read may change a register; writes are of bytes within one word, selected
/// by strobes. Other accesses are refused with TLM_BURST_ERROR_RESPONSE and do not reach the pins. DECERR becomes
/// TLM_ADDRESS_ERROR_RESPONSE, SLVERR TLM_GENERIC_ERROR_RESPONSE. One access at a time; END_REQ comes when the pins
/// have taken it, BEGIN_RESP with its answer. One edge per clock cycle, and none while no access is open.
/// Timing: an access is on the pins from the first edge after its request, and its response begins at the edge of its
/// last handshake.
#pragma once

#include <functional>

#include "tlm-links/axi_lite/axi_lite_manager.h"
#include "tlm-links/edge/gated_clock.h"
#include "tlm-links/edge/line_access.h"
#include "tlm-links/edge/serial_target.h"

namespace numavp {

class TlmToAxiLite final : public SerialTarget {
  public:
    SC_HAS_PROCESS(TlmToAxiLite);
    /// Called with the settled pins before each edge, for monitors.
    using Observer = std::function<void(const rtl::AxiLiteManagerPins&, const rtl::AxiLiteSubordinatePins&)>;

    /// Addresses outside `range` are answered TLM_ADDRESS_ERROR_RESPONSE; the pins' address is relative to its base.
    TlmToAxiLite(sc_core::sc_module_name name, AddressRange range, const ClockDomain& clock,
                 rtl::AxiLiteSubordinate& subordinate);

    void observe(Observer observer) { observer_ = std::move(observer); }
    /// Edges so far, that is, cycles in which the subordinate was simulated.
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
    bool on_pins_ = false; ///< the access that is being served
};

} // namespace numavp
