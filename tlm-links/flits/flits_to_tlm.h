/// Credited flits above, TLM-2.0 base protocol below: an initiator that sends the requests that arrive as flits.
///
/// Requests come in over one set of wires, responses go out over another. Below, any legal target: END_REQ early, late
/// or left out, responses in any order and on any path, annotated delays. A request goes to the target at the edge that
/// takes its last flit, or at the first later edge at which the request phase is free and no older open access overlaps
/// it (unless both read), since a target may reorder. Requests that wait keep their places in the receiver, so that
/// credits run out. A response is on the pins from the first edge after its annotated time, if the link runs.
/// BEGIN_RESP is answered TLM_COMPLETED: there is a place for every response.
/// Not done: DMI, debug access, b_transport.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include <tlm>

#include "tlm-links/flits/flit_channel.h"
#include "tlm-links/flits/flit_clock.h"

namespace numavp {

struct FlitsToTlmConfig {
    FlitChannelConfig channel;
    unsigned outstanding = 16; ///< requests in the target
};

class FlitsToTlm final : public sc_core::sc_module,
                         public tlm::tlm_bw_transport_if<>,
                         private FlitClocked,
                         private tlm::tlm_mm_interface {
  public:
    struct Wires {
        rtl::CxsWires& requests;
        rtl::CxsWires& responses;
    };
    FlitsToTlm(sc_core::sc_module_name name, const FlitsToTlmConfig& config, FlitClock& clock, const Wires& wires);
    ~FlitsToTlm() override;

    tlm::tlm_initiator_socket<> socket;
    bool empty() const { return out_.empty(); }
    const FlitSender& responses() const { return responses_; }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  private:
    struct Access; ///< a payload of our own

    void edge(std::uint64_t now_ps) override;
    void drive() override;
    bool idle() const override;
    void free(tlm::tlm_generic_payload* payload) override;

    Access& take_spare();
    Access& make(const Packet& request);
    void refuse();
    bool can_issue(std::uint64_t now_ps) const;
    void issue();
    void request_ended(const sc_core::sc_time& delay);
    void answered(Access& access, const sc_core::sc_time& delay);
    void send_responses(std::uint64_t now_ps);

    FlitsToTlmConfig config_;
    FlitClock& clock_;
    Wires wires_;
    FlitReceiver requests_;
    FlitSender responses_;
    std::vector<std::unique_ptr<Access>> accesses_;
    std::vector<Access*> spare_;
    std::vector<Access*> out_;          ///< whose response has not gone to the sender, oldest first
    std::deque<Access*> answered_;      ///< in the order of their answers
    Access* requesting_ = nullptr;      ///< in its request phase
    std::uint64_t request_free_ps_ = 0; ///< the request phase is free after it
};

} // namespace numavp
