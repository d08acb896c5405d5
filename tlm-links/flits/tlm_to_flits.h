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

#include <deque>
#include <memory>
#include <vector>

#include <tlm>

#include "tlm-links/edge/line_access.h"
#include "tlm-links/flits/flit_channel.h"
#include "tlm-links/flits/flit_clock.h"

namespace numavp {

struct TlmToFlitsConfig {
    FlitChannelConfig channel;
    unsigned ids = 16;  ///< requests without their response; more wait
    AddressRange range; ///< addresses outside are answered TLM_ADDRESS_ERROR_RESPONSE; flits carry whole ones
};

class TlmToFlits final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, private FlitClocked {
  public:
    struct Wires {
        rtl::CxsWires& requests;
        rtl::CxsWires& responses;
    };
    TlmToFlits(sc_core::sc_module_name name, const TlmToFlitsConfig& config, FlitClock& clock, const Wires& wires);
    ~TlmToFlits() override;

    tlm::tlm_target_socket<> socket;
    bool empty() const { return jobs_out_ == 0; }
    const FlitSender& requests() const { return requests_; }
    /// Sets the target that answers debug access; without one, debug access transfers 0 bytes.
    void set_debug(tlm::tlm_fw_transport_if<>* debug) { debug_ = debug; }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

  private:
    struct Job; ///< a payload that has not ended

    void edge(std::uint64_t now_ps) override;
    void drive() override;
    bool idle() const override;

    Job& make(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void arrive(Job& job);
    void admit(std::uint64_t now_ps);
    void send(Job& job);
    void end_requests();
    void respond(std::uint64_t now_ps);
    Job* next_response();
    void begin_response(Job& job);
    void retire(Job& job);
    void end_response(const sc_core::sc_time& delay);

    TlmToFlitsConfig config_;
    FlitClock& clock_;
    Wires wires_;
    FlitSender requests_;
    FlitReceiver responses_;
    tlm::tlm_fw_transport_if<>* debug_ = nullptr;

    std::vector<std::unique_ptr<Job>> jobs_;
    std::vector<Job*> free_jobs_;
    unsigned jobs_out_ = 0;
    std::vector<Job*> by_id_; ///< whose response is awaited
    std::vector<std::uint16_t> free_ids_;
    std::deque<Job*> arrived_;
    std::deque<Job*> without_flits_; ///< answered here: errors and ignored commands
    tlm::tlm_generic_payload* responding_ = nullptr;
    std::uint64_t response_free_ps_ = 0; ///< the response phase is free after it
};

} // namespace numavp
