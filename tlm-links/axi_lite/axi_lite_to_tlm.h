/// AXI4-Lite pins above, TLM-2.0 base protocol below: lets an RTL controller read and write registers of the platform,
/// such as those of the page-fault unit, or of any TLM target.
///
/// An access of the pins is one transaction of 8 bytes at the pins' address; a write whose strobes are not all set
/// carries byte enables, which the target may refuse. TLM_ADDRESS_ERROR_RESPONSE becomes DECERR, any other error
/// SLVERR. One transaction is open at a time; while an access is held its ready is low, so the target's back-pressure
/// reaches the pins. There is one edge per clock cycle, and none while the manager is idle and no access is open;
/// `interrupt()` starts the clock again. A call at the time of an edge takes part in the next one, so that the order of
/// processes does not matter.
/// Timing: the request begins at the edge of the handshake, and an answer is on the pins from the first edge after its
/// response.
#pragma once

#include <cstdint>
#include <functional>

#include <tlm>

#include "tlm-links/axi_lite/axi_lite_subordinate.h"
#include "tlm-links/edge/gated_clock.h"

namespace numavp {

class AxiLiteToTlm final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<>, private tlm::tlm_mm_interface {
  public:
    SC_HAS_PROCESS(AxiLiteToTlm);
    /// Called with the settled pins before each edge, for monitors.
    using Observer = std::function<void(const rtl::AxiLiteManagerPins&, const rtl::AxiLiteSubordinatePins&)>;

    AxiLiteToTlm(sc_core::sc_module_name name, const ClockDomain& clock, rtl::AxiLiteManager& manager);

    tlm::tlm_initiator_socket<> socket;
    void observe(Observer observer) { observer_ = std::move(observer); }
    /// Sets the level of the manager's interrupt line from now on; may be called from any process.
    void interrupt(bool level);
    /// Edges so far, that is, cycles in which the manager was simulated.
    std::uint64_t cycles() const { return clock_.edges(); }
    bool empty() const { return core_.idle(); }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  private:
    void start_of_simulation() override;
    void tick();
    void send(AxiLiteAccess& access);
    void answer();
    void end_response(sc_core::sc_time delay);
    void free(tlm::tlm_generic_payload* payload) override;

    rtl::AxiLiteManager& manager_;
    AxiLiteSubordinateCore core_;
    Observer observer_;
    GatedClock clock_;
    tlm::tlm_generic_payload payload_;
    unsigned char enables_[rtl::kAxiLiteBytes] = {};
    std::uint64_t free_ps_ = 0;          ///< the target's phases are over after it
    std::uint64_t response_ps_ = kNever; ///< annotated time of a response that the pins have not seen
    bool payload_held_ = false;          ///< it has not been freed yet
    bool level_ = false;                 ///< of the interrupt line
    bool before_ = false;                ///< before it last moved
    std::uint64_t level_ps_ = 0;         ///< since when
};

} // namespace numavp
