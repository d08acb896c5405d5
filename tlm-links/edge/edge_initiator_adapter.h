/// Adapter between a foreign initiator and a port of the platform.
///
/// Above, it accepts all that the base protocol lets an initiator do: annotated delays, any length, alignment,
/// streaming width and byte enables, early or late END_RESP, ignorable phases, blocking transport without a memory
/// manager. Below, it sends records of one line on the platform's clock. A foreign transaction is cut into lines, whose
/// requests are sent in the order of the calls, of both interfaces: a blocking call waits behind a request that waits
/// for its END_REQ. A line waits while an older record of the same line is open, unless both read, so that an
/// initiator sees its own writes. A foreign transaction is answered when all its lines are: BEGIN_RESP one cycle after
/// the last, and at most one a cycle. A process that is killed or reset in a blocking call leaves it: lines that are
/// out are answered to nobody, the others are not sent.
/// Not done: DMI is refused; an initiator whose TLM socket has another bus width than 32 needs a wrapper.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include <tlm>

#include "base/time/clockwork.h"
#include "tlm-links/edge/line_access.h"
#include "tlm-links/edge/line_order.h"
#include "tlm-links/protocol/ports.h"
#include "tlm-links/protocol/txn.h"

namespace numavp {

struct EdgeInitiatorConfig {
    AddressRange range;          ///< other addresses are answered TLM_ADDRESS_ERROR_RESPONSE
    unsigned requests = 4;       ///< non-blocking transactions inside; the next one waits for its END_REQ
    unsigned lines = 16;         ///< records out at a time
    unsigned port_depth = 4;     ///< of the wire below
    unsigned latency_cycles = 1; ///< of the wire below, at least 1
};

/// Parts of the platform that both adapters use.
struct EdgeResources {
    ClockDomain& clock;
    TxnPool& pool; ///< functional, or the foreign side gets undefined data
    Rank rank;
};

class EdgeInitiatorAdapter final : public sc_core::sc_module,
                                   public tlm::tlm_fw_transport_if<>,
                                   public Arbiter,
                                   private RequesterIf,
                                   private Handler {
  public:
    EdgeInitiatorAdapter(sc_core::sc_module_name name, const EdgeInitiatorConfig& config,
                         const EdgeResources& resources);
    ~EdgeInitiatorAdapter() override;

    tlm::tlm_target_socket<> socket; ///< for the foreign initiator
    InitiatorPort port;              ///< into the platform

    /// Called for each record before it is sent, to set its home, slice, requester and sizes.
    void set_router(std::function<void(Txn&)> router) { router_ = std::move(router); }
    /// Sets the target that answers debug access; without one, debug access transfers 0 bytes.
    void set_debug(tlm::tlm_fw_transport_if<>* debug) { debug_ = debug; }
    /// True if no foreign transaction is inside.
    bool empty() const { return inside_ == 0 && !stalled_; }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

  private:
    using Payload = tlm::tlm_generic_payload;
    struct Job; ///< one foreign transaction
    struct Timer final : Node {};

    void arbitrate() override;
    bool response(unsigned port, Txn& txn) override;
    void deliver(Node& node) override;

    Job& take_job(Payload& payload);
    void abandon(Job& job);
    void start(Job& job, Cycle edge);
    void ready(Job& job);
    bool send_next_line(Job& job);
    void finish(Job& job);
    void end_deferred_request();
    void schedule_response();
    void respond();
    void response_ended(const sc_core::sc_time& delay);
    void leave(Job& job);

    EdgeInitiatorConfig config_;
    TxnPool& pool_;
    std::function<void(Txn&)> router_;
    tlm::tlm_fw_transport_if<>* debug_ = nullptr;

    std::vector<std::unique_ptr<Job>> jobs_;
    std::vector<Job*> spare_;
    unsigned inside_ = 0;
    unsigned nonblocking_ = 0;
    Cycle last_start_ = 0;
    std::deque<Job*> issuing_; ///< in the order of the calls; the first one sends
    LineOrder out_;

    Payload* stalled_ = nullptr; ///< accepted, waits for its END_REQ
    Cycle stalled_start_ = 0;
    struct Waiting {
        Job* job;
        Cycle edge;
    };
    std::vector<Waiting> behind_stalled_; ///< blocking calls that came after it, in their order
    bool ending_request_ = false;
    Timer end_request_timer_;

    std::deque<Job*> done_;
    Job* responding_ = nullptr; ///< in its response phase
    bool respond_scheduled_ = false;
    Cycle response_free_ = 0;
    Timer respond_timer_;
};

} // namespace numavp
