/// TLM-2.0 base protocol above, credited flits below: requests go out over one set of wires, responses come in over
/// another, so that neither can hold up the other.
///
/// Above, a full target: nb_transport with four phases, b_transport, any length and alignment, byte enables, streaming.
/// END_REQ comes when the last flit of a request is on the pins, BEGIN_RESP when the last flit of its response has
/// arrived, at most one an edge. Back-pressure is passed on: while a response waits for END_RESP no other is taken off
/// the pins, and credits run out. Below, edges are the FlitClock's; a call at the time of an edge takes part in the
/// next one. Requests leave in the order of the calls; responses may come in any.
/// Timing: the first flit is on the pins from the first edge after the call, if the link runs; from the third if it is
/// at rest. The response begins at the edge that takes its last flit.
/// Not done: DMI. Debug access takes no time, so it can't travel as flits: set_debug() names a target for it.
#pragma once

#include <vector>

#include "tlm-links/edge/bridge_target.h"
#include "tlm-links/flits/flit_channel.h"
#include "tlm-links/flits/flit_clock.h"

namespace numavp {

struct TlmToFlitsConfig {
    FlitChannelConfig channel;
    unsigned ids = 16;  ///< requests without their response; more wait
    AddressRange range; ///< addresses outside are answered TLM_ADDRESS_ERROR_RESPONSE; flits carry whole ones
};

class TlmToFlits final : public BridgeTarget, private FlitClocked {
  public:
    struct Wires {
        rtl::CxsWires& requests;
        rtl::CxsWires& responses;
    };
    TlmToFlits(sc_core::sc_module_name name, const TlmToFlitsConfig& config, FlitClock& clock, const Wires& wires);

    const FlitSender& requests() const { return requests_; }
    /// Sets the target that answers debug access; without one, debug access transfers 0 bytes.
    void set_debug(tlm::tlm_fw_transport_if<>* debug) { debug_ = debug; }

    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

  private:
    void wake_after(std::uint64_t ps) override { clock_.tick_after(ps); }
    Call* take_answer() override;
    bool any_answer() const override { return responses_.any(); }

    void edge(std::uint64_t now_ps) override;
    void drive() override;
    bool idle() const override;

    void admit(std::uint64_t now_ps);
    void send(Call& call);
    void end_requests();

    TlmToFlitsConfig config_;
    FlitClock& clock_;
    Wires wires_;
    FlitSender requests_;
    FlitReceiver responses_;
    tlm::tlm_fw_transport_if<>* debug_ = nullptr;

    std::vector<Call*> by_id_; ///< whose response is awaited
    std::vector<std::uint16_t> free_ids_;
};

} // namespace numavp
