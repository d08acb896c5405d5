#include "tlm-links/axi/tlm_to_axi4.h"

#include <algorithm>

#include "tlm-links/axi/axi_response.h"
#include "tlm-links/edge/blocking_call.h"
#include "tlm-links/edge/edge_clock.h"
#include "tlm-links/edge/flat_access.h"
#include "tlm-links/protocol/atomic.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

struct TlmToAxi4::Job final : Axi4Access {
    tlm_generic_payload* payload = nullptr;
    std::uint64_t arrival_ps = 0;
    bool blocking = false;
    BlockingCall* caller = nullptr; ///< of a blocking one, whose payload is null once it was killed or reset
};

TlmToAxi4::TlmToAxi4(sc_core::sc_module_name name, const TlmToAxi4Config& config, const ClockDomain& clock,
                     rtl::AxiSubordinate& subordinate)
    : sc_module(name), socket("socket"), config_(config), clock_(clock), subordinate_(subordinate),
      manager_(config.manager) {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    SC_METHOD(tick);
    sensitive << tick_;
    dont_initialize();
}

TlmToAxi4::~TlmToAxi4() = default;

// --- from the initiator

TlmToAxi4::Job& TlmToAxi4::make(tlm_generic_payload& payload, const sc_time& delay) {
    if (free_jobs_.empty()) {
        jobs_.push_back(std::make_unique<Job>());
        free_jobs_.push_back(jobs_.back().get());
    }
    Job& job = *free_jobs_.back();
    free_jobs_.pop_back();
    ++jobs_out_;
    job.payload = &payload;
    job.arrival_ps = sc_now_ps() + delay.value();
    job.caller = nullptr;
    return job;
}

void TlmToAxi4::arrive(Job& job) {
    if (!job.blocking) ++requests_;
    arrived_.push(&job);
    tick_after(job.arrival_ps);
}

tlm_sync_enum TlmToAxi4::nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
        payload.acquire();
        Job& job = make(payload, delay);
        job.blocking = false;
        arrive(job);
        // Places that an edge at this very time has freed do not count yet: the order of processes does not matter.
        const unsigned freed = last_tick_ps_ == sc_now_ps() ? freed_ : 0;
        if (requests_ + freed <= config_.requests) {
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
        unended_ = &payload;
        unended_since_ps_ = job.arrival_ps;
    } else if (phase == tlm::END_RESP) {
        if (responding_ != &payload)
            SC_REPORT_ERROR("numavp/protocol", "END_RESP for a transaction that is not in its response phase");
        else
            end_response(delay);
    }
    return tlm::TLM_ACCEPTED; // other phases are ignorable
}

void TlmToAxi4::b_transport(tlm_generic_payload& payload, sc_time& delay) {
    Job& job = make(payload, delay);
    job.blocking = true;
    arrive(job);
    BlockingCall call([&job] { job.payload = nullptr; }); // killed or reset: later answers go nowhere
    job.caller = &call;
    call.wait();
    delay = sc_core::SC_ZERO_TIME;
}

unsigned int TlmToAxi4::transport_dbg(tlm_generic_payload& payload) {
    if (payload.get_address() < config_.range.base) return 0;
    return subordinate_.debug(payload.get_address() - config_.range.base, payload.get_data_ptr(),
                              payload.get_data_length(), payload.is_write());
}

void TlmToAxi4::end_response(const sc_time& delay) {
    tlm_generic_payload& payload = *responding_;
    responding_ = nullptr;
    response_free_ps_ = sc_now_ps() + delay.value();
    if (manager_.any_finished() || !without_pins_.empty()) tick_after(response_free_ps_);
    payload.release();
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
    tick_.notify(sc_time::from_value(clock_.edge_ps(edge) - sc_now_ps()));
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
    end_request();
    respond(now);
    if (!arrived_.empty()) tick_after(std::max(now, arrived_.front()->arrival_ps));
}

/// Requests from before this edge go to the pins, as many as the manager has places for.
void TlmToAxi4::admit(std::uint64_t now) {
    const unsigned before = requests_;
    while (!arrived_.empty() && arrived_.front()->arrival_ps < now && manager_.can_take()) {
        Job& job = *arrived_.pop();
        if (!job.blocking) --requests_;
        start(job);
    }
    freed_ = before - requests_;
}

void TlmToAxi4::start(Job& job) {
    if (!job.payload) return retire(job);
    const tlm_generic_payload& p = *job.payload;
    const bool ignored = asks_nothing(p);
    const tlm::tlm_response_status status = ignored ? tlm::TLM_OK_RESPONSE : check_access(p, config_.range);
    if (ignored || status != tlm::TLM_OK_RESPONSE) {
        job.payload->set_response_status(status);
        without_pins_.push(&job);
        return;
    }
    job.write = p.is_write();
    job.address = p.get_address() - config_.range.base;
    job.renew(extent_of(p));
    if (job.write) gather_bytes(p, job.bytes, job.enabled);
    manager_.take(job);
}

// --- to the initiator

void TlmToAxi4::end_request() {
    if (!unended_ || requests_ > config_.requests || sc_now_ps() <= unended_since_ps_) return;
    tlm_generic_payload& payload = *unended_;
    unended_ = nullptr; // before the call: the initiator may send the next request from inside it
    tlm_phase phase = tlm::END_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, phase, delay);
}

TlmToAxi4::Job* TlmToAxi4::next_response() {
    if (!without_pins_.empty()) return without_pins_.pop();
    auto* job = static_cast<Job*>(manager_.pop_finished());
    if (!job || !job->payload) return job;
    tlm_generic_payload& p = *job->payload;
    p.set_response_status(status_of_axi(job->response));
    if (!job->write && p.is_response_ok()) scatter_bytes(p, job->bytes);
    return job;
}

/// One response an edge, and none while another is in its phase.
void TlmToAxi4::respond(std::uint64_t now) {
    if (responding_) return; // END_RESP asks for a tick
    if (response_free_ps_ < now) {
        if (Job* job = next_response()) begin_response(*job);
    }
    if (!responding_ && (manager_.any_finished() || !without_pins_.empty()))
        tick_after(std::max(now, response_free_ps_));
}

void TlmToAxi4::begin_response(Job& job) {
    if (job.blocking) {
        if (job.payload) job.caller->end();
        return retire(job);
    }
    responding_ = job.payload;
    retire(job);
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm_sync_enum status = socket->nb_transport_bw(*responding_, phase, delay);
    const bool ended = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (ended && responding_) end_response(delay);
}

void TlmToAxi4::retire(Job& job) {
    job.payload = nullptr;
    free_jobs_.push_back(&job);
    --jobs_out_;
}

} // namespace numavp
