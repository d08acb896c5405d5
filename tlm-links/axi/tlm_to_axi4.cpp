#include "tlm-links/axi/tlm_to_axi4.h"

#include <algorithm>
#include <utility>

#include "base/time/sim_time.h"
#include "tlm-links/axi/axi_response.h"
#include "tlm-links/edge/edge_clock.h"
#include "tlm-links/edge/flat_access.h"

namespace numavp {

using tlm::tlm_generic_payload;

struct TlmToAxi4::Job final : Call, Axi4Access {};

TlmToAxi4::TlmToAxi4(sc_core::sc_module_name name, const TlmToAxi4Config& config, const ClockDomain& clock,
                     rtl::AxiSubordinate& subordinate)
    : BridgeTarget(name), config_(config), clock_(clock), subordinate_(subordinate), manager_(config.manager) {
    SC_METHOD(tick);
    sensitive << tick_;
    dont_initialize();
}

TlmToAxi4::~TlmToAxi4() = default;

// --- from the initiator

std::unique_ptr<BridgeTarget::Call> TlmToAxi4::make_call() { return std::make_unique<Job>(); }

bool TlmToAxi4::takes_at_once(const Call& call) {
    ++requests_;
    // Places that an edge at this very time has freed do not count yet: the order of processes does not matter.
    const unsigned freed = last_tick_ps_ == sc_now_ps() ? freed_ : 0;
    if (requests_ + freed <= config_.requests) return true;
    unended_ = call.payload;
    unended_since_ps_ = call.arrival_ps;
    return false;
}

unsigned int TlmToAxi4::transport_dbg(tlm_generic_payload& payload) {
    if (payload.get_address() < config_.range.base) return 0;
    return subordinate_.debug(payload.get_address() - config_.range.base, payload.get_data_ptr(),
                              payload.get_data_length(), payload.is_write());
}

// --- the clock

/// A tick at the first edge after `ps`, which is not in the past, unless there is an earlier one.
void TlmToAxi4::tick_after(std::uint64_t ps) {
    if (next_edge_ != last_edge_ + 1) tick_at(edge_at_or_after(clock_, ps + 1));
}

void TlmToAxi4::tick_at(Cycle edge) {
    if (edge >= next_edge_) return;
    next_edge_ = edge;
    tick_.cancel();
    tick_.notify(ps_time(clock_.edge_ps(edge) - sc_now_ps()));
}

/// May run deltas after the tick, when pins have their values of the edge: calls in between count as at its time.
void TlmToAxi4::cycle() {
    const std::uint64_t now = sc_now_ps();
    last_edge_ = next_edge_;
    last_tick_ps_ = now;
    next_edge_ = kNever;
    admit(now);
    ++cycles_;
    if (observer_) observer_(manager_.pins(), subordinate_.pins());
    manager_.edge(subordinate_.pins()); // both sides see what the other drove before the edge
    subordinate_.edge();
    subordinate_.settle(manager_.pins());
    if (!manager_.idle()) tick_at(last_edge_ + 1);
    end_waiting_request();
    respond(now);
    if (any_arrived()) tick_after(std::max(now, arrival_ps()));
}

/// Requests from before this edge go to the pins, as many as the manager has places for.
void TlmToAxi4::admit(std::uint64_t now) {
    const unsigned before = requests_;
    while (manager_.can_take()) {
        auto* const job = static_cast<Job*>(take_arrived(now));
        if (!job) break;
        if (!job->blocking) --requests_;
        if (!answered_here(*job, config_.range)) start(*job);
    }
    freed_ = before - requests_;
}

void TlmToAxi4::start(Job& job) {
    const tlm_generic_payload& p = *job.payload;
    job.write = p.is_write();
    job.address = p.get_address() - config_.range.base;
    job.renew(extent_of(p));
    if (job.write) gather_bytes(p, job.bytes, job.enabled);
    manager_.take(job);
}

// --- to the initiator

void TlmToAxi4::end_waiting_request() {
    if (!unended_ || requests_ > config_.requests || sc_now_ps() <= unended_since_ps_) return;
    end_request(*std::exchange(unended_, nullptr)); // before the call: the initiator may send the next request from it
}

BridgeTarget::Call* TlmToAxi4::take_answer() {
    auto* const job = static_cast<Job*>(manager_.pop_finished());
    if (!job) return nullptr;
    tlm_generic_payload& p = *job->payload;
    p.set_response_status(status_of_axi(job->response));
    if (!job->write && p.is_response_ok()) scatter_bytes(p, job->bytes);
    return job;
}

} // namespace numavp
