#include "tlm-links/edge/edge_initiator_adapter.h"

#include <algorithm>
#include <cstring>

#include "tlm-links/edge/blocking_call.h"
#include "tlm-links/edge/edge_clock.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

struct EdgeInitiatorAdapter::Job final : Node {
    Payload* payload = nullptr; ///< null: its caller was killed or reset
    BlockingCall* caller = nullptr;
    std::uint64_t next_line = 0;
    std::uint64_t last_line = 0;
    std::uint32_t index = 0; ///< among all jobs; the tag of its records
    unsigned out = 0;        ///< records that are out
    bool started = false;
    bool all_sent = false;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
};

EdgeInitiatorAdapter::EdgeInitiatorAdapter(sc_core::sc_module_name name, const EdgeInitiatorConfig& config,
                                           const EdgeResources& resources)
    : sc_module(name), Arbiter(resources.clock, resources.rank), socket("socket"),
      port("port", resources.clock, {config.port_depth, Part::sm}, *this, 0), config_(config), pool_(resources.pool) {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    port.set_feeder(*this);
    end_request_timer_.handler = this;
    respond_timer_.handler = this;
}

EdgeInitiatorAdapter::~EdgeInitiatorAdapter() = default;

EdgeInitiatorAdapter::Job& EdgeInitiatorAdapter::take_job(Payload& payload) {
    if (spare_.empty()) {
        jobs_.push_back(std::make_unique<Job>());
        jobs_.back()->index = static_cast<std::uint32_t>(jobs_.size() - 1);
        spare_.push_back(jobs_.back().get());
    }
    Job& job = *spare_.back();
    spare_.pop_back();
    const std::uint32_t index = job.index;
    job = Job{};
    job.index = index;
    job.handler = this;
    job.payload = &payload;
    ++inside_;
    return job;
}

/// Requests start in the order of the calls, even if their annotations say otherwise.
void EdgeInitiatorAdapter::start(Job& job, Cycle edge) {
    last_start_ = std::max(last_start_, edge);
    domain_.at_from_outside(last_start_, job);
}

// --- the foreign side

tlm_sync_enum EdgeInitiatorAdapter::nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::END_RESP) {
        if (!responding_ || responding_->payload != &payload)
            SC_REPORT_ERROR("numavp/protocol", "END_RESP for a transaction that has no response");
        else
            response_ended(delay);
        return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED; // ignorable
    if (stalled_ || !payload.has_mm())
        SC_REPORT_ERROR("numavp/protocol", "BEGIN_REQ in a request phase, or without a memory manager");
    payload.acquire();
    const Cycle edge = edge_for_annotated(domain_, delay);
    if (nonblocking_ == config_.requests) {
        stalled_ = &payload;
        stalled_start_ = edge;
        return tlm::TLM_ACCEPTED;
    }
    ++nonblocking_;
    start(take_job(payload), edge);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void EdgeInitiatorAdapter::b_transport(Payload& payload, sc_time& delay) {
    Job& job = take_job(payload);
    BlockingCall call([this, &job] { abandon(job); });
    job.caller = &call;
    const Cycle edge = edge_for_annotated(domain_, delay);
    if (stalled_ && !ending_request_)
        behind_stalled_.push_back({&job, edge});
    else
        start(job, edge);
    call.wait();
    delay = sc_core::SC_ZERO_TIME; // it has passed
}

/// The caller's payload is gone: no more lines are sent, and answers to those that are out are dropped.
void EdgeInitiatorAdapter::abandon(Job& job) {
    job.payload = nullptr;
    job.caller = nullptr;
}

bool EdgeInitiatorAdapter::get_direct_mem_ptr(Payload&, tlm::tlm_dmi& dmi) {
    dmi.init();
    dmi.set_end_address(~sc_dt::uint64{0}); // nowhere
    return false;
}

unsigned int EdgeInitiatorAdapter::transport_dbg(Payload& payload) {
    return debug_ ? debug_->transport_dbg(payload) : 0;
}

// --- calls in the clockwork's first pass

void EdgeInitiatorAdapter::deliver(Node& node) {
    if (&node == &end_request_timer_)
        end_deferred_request();
    else if (&node == &respond_timer_)
        respond();
    else if (auto& job = static_cast<Job&>(node); !job.started)
        ready(job);
    else
        finish(job);
}

void EdgeInitiatorAdapter::ready(Job& job) {
    job.started = true;
    if (!job.payload) return leave(job);
    const bool nothing = asks_nothing(*job.payload);
    job.status = nothing ? tlm::TLM_OK_RESPONSE : check_access(*job.payload, config_.range);
    if (nothing || job.status != tlm::TLM_OK_RESPONSE) return finish(job);
    job.next_line = first_line(*job.payload);
    job.last_line = last_line(*job.payload);
    issuing_.push_back(&job);
    wake();
}

bool EdgeInitiatorAdapter::response(unsigned, Txn& txn) {
    Job& job = *jobs_[txn.tag];
    if (!txn.is_response_ok() && job.status == tlm::TLM_OK_RESPONSE) job.status = txn.get_response_status();
    if (txn.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) job.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (txn.is_response_ok() && job.payload && job.payload->is_read())
        scatter_line(*job.payload, txn.line, txn.data.data());
    out_.remove(txn.line, txn.is_write());
    txn.release();
    --job.out;
    if (job.all_sent && job.out == 0) finish(job);
    wake();
    return true;
}

void EdgeInitiatorAdapter::finish(Job& job) {
    if (!job.payload) return leave(job);
    job.payload->set_response_status(job.status);
    job.payload->set_dmi_allowed(false);
    if (job.caller) {
        job.caller->end();
        return leave(job);
    }
    done_.push_back(&job);
    schedule_response();
}

void EdgeInitiatorAdapter::leave(Job& job) {
    --inside_;
    spare_.push_back(&job);
}

// --- one record a cycle

void EdgeInitiatorAdapter::arbitrate() {
    if (issuing_.empty()) return;
    Job& job = *issuing_.front();
    if (job.payload) {
        if (!port.ready() || out_.size() >= config_.lines || out_.must_wait(job.next_line, job.payload->is_write()))
            return; // woken by what it waits for
        if (!send_next_line(job)) return wake();
    }
    issuing_.pop_front();
    job.all_sent = true;
    if (job.out == 0) domain_.at(domain_.now() + 1, job); // no byte was enabled, or all are back
    if (!issuing_.empty()) wake();
}

/// True when that was the last one.
bool EdgeInitiatorAdapter::send_next_line(Job& job) {
    const std::uint64_t line = job.next_line;
    unsigned char bytes[kLineBytes];
    const ByteMask mask = gather_line(*job.payload, line, bytes);
    if (mask.any()) {
        const bool write = job.payload->is_write();
        Txn& txn = pool_.make(write ? Kind::store : Kind::load, line, mask);
        if (write)
            for (unsigned i = 0; i < kLineBytes; ++i)
                if (mask.test(i)) txn.data[i] = bytes[i];
        txn.tag = job.index;
        txn.start(domain_.edge_ps(domain_.now()));
        if (router_) router_(txn);
        out_.add(line, write);
        ++job.out;
        port.send(txn, domain_.now() + std::max(config_.latency_cycles, 1U));
    }
    job.next_line = line + kLineBytes;
    return line == job.last_line;
}

// --- requests that had no room, and responses

void EdgeInitiatorAdapter::end_deferred_request() {
    Payload& payload = *stalled_;
    stalled_ = nullptr; // before the call: the initiator may send the next request from inside it
    ending_request_ = false;
    tlm_phase phase = tlm::END_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, phase, delay);
}

void EdgeInitiatorAdapter::schedule_response() {
    if (responding_ || respond_scheduled_ || done_.empty()) return;
    respond_scheduled_ = true;
    domain_.at_from_outside(std::max(response_free_, domain_.next_usable_edge()), respond_timer_);
}

void EdgeInitiatorAdapter::respond() {
    respond_scheduled_ = false;
    responding_ = done_.front();
    done_.pop_front();
    Job* const job = responding_;
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm_sync_enum status = socket->nb_transport_bw(*job->payload, phase, delay);
    const bool ended = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (ended && responding_ == job) response_ended(delay);
}

/// The room goes to the request that waits, not before its annotated time.
void EdgeInitiatorAdapter::response_ended(const sc_time& delay) {
    Job& job = *responding_;
    responding_ = nullptr;
    response_free_ = edge_for_annotated(domain_, delay);
    Payload& payload = *job.payload;
    leave(job);
    --nonblocking_;
    if (stalled_ && !ending_request_) {
        ending_request_ = true;
        ++nonblocking_;
        const Cycle edge = std::max(stalled_start_, domain_.next_usable_edge());
        domain_.at_from_outside(edge, end_request_timer_);
        start(take_job(*stalled_), edge);
        for (const Waiting& next : behind_stalled_) start(*next.job, std::max(next.edge, edge));
        behind_stalled_.clear();
    }
    payload.release();
    schedule_response();
}

} // namespace numavp
