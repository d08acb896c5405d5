/// Adapter between a port of the platform and a foreign target, such as another team's memory.
///
/// Above, the platform's dialect. Below, an initiator of the full base protocol: it accepts TLM_COMPLETED, TLM_UPDATED
/// with END_REQ or BEGIN_RESP, responses before END_REQ, responses in any order, annotated delays and ignorable phases;
/// or it calls b_transport from its own thread. The foreign side gets a separate payload with a copy of the data, which
/// it may keep and to which it may attach extensions. Requests go out in order: one a cycle if the target ends them in
/// its return, one every second cycle if it ends them by a call at the same time. A request waits while an older access
/// to its line is open, unless both read, since a target may reorder. Responses go up on the first edge after their
/// annotated time.
/// Not done: an atomic is answered TLM_COMMAND_ERROR_RESPONSE, since the home slice has to perform it; DMI of the
/// foreign target is not used.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include <tlm>

#include "base/time/clockwork.h"
#include "tlm-links/edge/edge_initiator_adapter.h"
#include "tlm-links/edge/line_order.h"
#include "tlm-links/protocol/channel_counts.h"
#include "tlm-links/protocol/ports.h"
#include "tlm-links/protocol/txn.h"

namespace numavp {

/// Way to end a response of the foreign target, where the protocol leaves the choice to the initiator.
enum class ResponseEnd : std::uint8_t {
    completed, ///< BEGIN_RESP is answered TLM_COMPLETED
    updated,   ///< BEGIN_RESP is answered TLM_UPDATED with END_RESP
    later      ///< BEGIN_RESP is answered TLM_ACCEPTED, END_RESP comes on a later edge
};

struct EdgeTargetConfig {
    unsigned inlet_depth = 4;    ///< requests that wait; the next one waits for its END_REQ
    unsigned outstanding = 16;   ///< transactions in the foreign target
    unsigned port_depth = 4;     ///< of the wire of responses
    unsigned latency_cycles = 1; ///< of that wire, at least 1
    ResponseEnd response_end = ResponseEnd::completed;
    bool blocking = false; ///< b_transport instead of the non-blocking interface
    /// Maps a line's address to the foreign target's; empty: the same address. A line stays contiguous.
    std::function<std::uint64_t(std::uint64_t)> translate;
};

class EdgeTargetAdapter final : public sc_core::sc_module,
                                public tlm::tlm_bw_transport_if<>,
                                public Arbiter,
                                private ResponderIf,
                                private Handler {
  public:
    SC_HAS_PROCESS(EdgeTargetAdapter);
    EdgeTargetAdapter(sc_core::sc_module_name name, const EdgeTargetConfig& config, const EdgeResources& resources);
    ~EdgeTargetAdapter() override;

    TargetPort port;                    ///< for the platform
    tlm::tlm_initiator_socket<> socket; ///< to the foreign target

    /// True if no request waits here and none is in the foreign target.
    bool empty() const { return inlet_.empty() && outstanding_ == 0 && responses_.empty(); }
    /// Requests sent to the foreign target so far.
    const ChannelCounts& counts() const { return counts_; }
    /// Number of requests that wait here; and the first of them, or null.
    unsigned held() const { return inlet_.size(); }
    const Txn* sample_held() const { return inlet_.empty() ? nullptr : &inlet_.front(); }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  private:
    struct Foreign; ///< a payload of our own, with its place on the wheel
    class Pool;     ///< where they come from
    class Debug;    ///< debug access, line by line
    struct Timer final : Node {};

    void end_of_elaboration() override;
    void arbitrate() override;
    bool request(unsigned port, Txn& txn) override;
    void deliver(Node& node) override;

    bool can_issue() const;
    void issue();
    void call(Foreign& foreign);
    void finish(Foreign& foreign);
    void end_request(const sc_core::sc_time& delay);
    void end_called_request(const sc_core::sc_time& delay);
    void begin_response(Foreign& foreign, const sc_core::sc_time& delay);
    void end_response_later(Foreign& foreign, const sc_core::sc_time& delay);
    void end_response();
    void work();

    EdgeTargetConfig config_;
    std::unique_ptr<Pool> pool_;
    std::unique_ptr<Debug> debug_;
    Inlet inlet_;
    LineOrder out_;
    ChannelCounts counts_;
    unsigned outstanding_ = 0;
    bool request_busy_ = false;     ///< one is on its way to its request phase, or in it
    Foreign* requesting_ = nullptr; ///< in its request phase
    Timer request_ended_timer_;
    Foreign* ending_ = nullptr; ///< waits for its END_RESP
    Timer end_response_timer_;
    TxnQueue responses_;
    std::deque<Foreign*> calls_; ///< for the thread
    sc_core::sc_event call_event_;
};

} // namespace numavp
