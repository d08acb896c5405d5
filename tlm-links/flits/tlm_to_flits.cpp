#include "tlm-links/flits/tlm_to_flits.h"

#include <algorithm>

#include "base/values/error.h"
#include "tlm-links/edge/blocking_call.h"
#include "tlm-links/edge/flat_access.h"
#include "tlm-links/protocol/atomic.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

struct TlmToFlits::Job {
    tlm_generic_payload* payload = nullptr;
    std::uint64_t arrival_ps = 0;
    bool blocking = false;
    BlockingCall* caller = nullptr; ///< of a blocking one, whose payload is null once it was killed or reset
};

TlmToFlits::TlmToFlits(sc_core::sc_module_name name, const TlmToFlitsConfig& config, FlitClock& clock,
                       const Wires& wires)
    : sc_module(name), socket("socket"), config_(config), clock_(clock), wires_(wires),
      requests_(config.channel.sender), responses_(config.channel.receiver), by_id_(config.ids, nullptr) {
    if (config.ids == 0 || config.ids > 0x10000) throw ModelError("requests in flits have 1 to 65536 ids");
    for (unsigned id = config.ids; id-- > 0;) free_ids_.push_back(static_cast<std::uint16_t>(id));
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    clock_.add(*this);
}

TlmToFlits::~TlmToFlits() = default;

// --- from the initiator

TlmToFlits::Job& TlmToFlits::make(tlm_generic_payload& payload, const sc_time& delay) {
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

void TlmToFlits::arrive(Job& job) {
    arrived_.push_back(&job);
    clock_.tick_after(job.arrival_ps);
}

tlm_sync_enum TlmToFlits::nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
        payload.acquire();
        Job& job = make(payload, delay);
        job.blocking = false;
        arrive(job);
    } else if (phase == tlm::END_RESP) {
        if (responding_ != &payload)
            SC_REPORT_ERROR("numavp/protocol", "END_RESP for a transaction that is not in its response phase");
        else
            end_response(delay);
    }
    return tlm::TLM_ACCEPTED; // other phases are ignorable
}

void TlmToFlits::b_transport(tlm_generic_payload& payload, sc_time& delay) {
    Job& job = make(payload, delay);
    job.blocking = true;
    arrive(job);
    BlockingCall call([&job] { job.payload = nullptr; }); // killed or reset: later answers go nowhere
    job.caller = &call;
    call.wait();
    delay = sc_core::SC_ZERO_TIME;
}

unsigned int TlmToFlits::transport_dbg(tlm_generic_payload& payload) {
    return debug_ ? debug_->transport_dbg(payload) : 0;
}

void TlmToFlits::end_response(const sc_time& delay) {
    tlm_generic_payload& payload = *responding_;
    responding_ = nullptr;
    response_free_ps_ = sc_now_ps() + delay.value();
    if (!without_flits_.empty()) clock_.tick_after(response_free_ps_);
    payload.release();
}

// --- the clock

void TlmToFlits::edge(std::uint64_t now) {
    admit(now);
    requests_.edge(wires_.requests.rx);
    responses_.edge(wires_.responses.tx);
    end_requests();
    respond(now);
    if (!arrived_.empty() && !free_ids_.empty()) clock_.tick_after(std::max(now, arrived_.front()->arrival_ps));
}

void TlmToFlits::drive() {
    wires_.requests.tx = requests_.pins();
    wires_.responses.rx = responses_.pins();
}

bool TlmToFlits::idle() const {
    return requests_.idle() && responses_.idle() && (without_flits_.empty() || responding_);
}

/// Requests from before this edge go to the sender, as many as it has places for.
void TlmToFlits::admit(std::uint64_t now) {
    while (!arrived_.empty() && arrived_.front()->arrival_ps < now && requests_.can_take() && !free_ids_.empty()) {
        Job& job = *arrived_.front();
        arrived_.pop_front();
        if (!job.payload) {
            retire(job);
            continue;
        }
        const tlm_generic_payload& p = *job.payload;
        const bool ignored = asks_nothing(p);
        const tlm::tlm_response_status status = ignored ? tlm::TLM_OK_RESPONSE : check_access(p, config_.range);
        if (ignored || status != tlm::TLM_OK_RESPONSE) {
            job.payload->set_response_status(status);
            without_flits_.push_back(&job);
        } else {
            send(job);
        }
    }
}

void TlmToFlits::send(Job& job) {
    const tlm_generic_payload& p = *job.payload;
    Packet packet;
    packet.kind = p.is_write() ? PacketKind::write : PacketKind::read;
    packet.id = free_ids_.back();
    free_ids_.pop_back();
    by_id_[packet.id] = &job;
    packet.address = p.get_address();
    packet.length = extent_of(p);
    if (p.is_write()) {
        std::vector<unsigned char> enabled;
        gather_bytes(p, packet.bytes, enabled);
        if (!enabled.empty()) packet.set_enables([&](std::size_t i) { return enabled[i] != 0; });
    }
    requests_.take(packet);
}

// --- to the initiator

void TlmToFlits::end_requests() {
    while (const auto id = requests_.pop_sent()) {
        if (by_id_[*id] == nullptr) throw ModelError("a request is sent whose answer has come already");
        const Job& job = *by_id_[*id];
        if (job.blocking) continue;
        tlm_phase phase = tlm::END_REQ;
        sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_bw(*job.payload, phase, delay);
    }
}

namespace {
void give(const Packet& packet, tlm_generic_payload& p) {
    p.set_response_status(static_cast<tlm::tlm_response_status>(static_cast<std::int8_t>(packet.status)));
    if (!p.is_read() || !p.is_response_ok()) return;
    if (packet.bytes.size() != extent_of(p)) throw ModelError("flits answer a read with another length");
    scatter_bytes(p, packet.bytes);
}
} // namespace

TlmToFlits::Job* TlmToFlits::next_response() {
    if (!without_flits_.empty()) {
        Job* job = without_flits_.front();
        without_flits_.pop_front();
        return job;
    }
    if (!responses_.any()) return nullptr;
    const Packet& packet = responses_.front();
    Job* job = packet.id < by_id_.size() ? by_id_[packet.id] : nullptr;
    if (!job || packet.kind != PacketKind::response) throw ModelError("flits answer what was not asked");
    if (job->payload) give(packet, *job->payload);
    by_id_[packet.id] = nullptr;
    free_ids_.push_back(packet.id);
    responses_.pop();
    return job;
}

/// One response an edge, and none while another is in its phase.
void TlmToFlits::respond(std::uint64_t now) {
    if (responding_ || (without_flits_.empty() && !responses_.any())) return;
    if (response_free_ps_ >= now) return clock_.tick_after(response_free_ps_);
    if (Job* job = next_response()) begin_response(*job);
}

void TlmToFlits::begin_response(Job& job) {
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

void TlmToFlits::retire(Job& job) {
    job.payload = nullptr;
    free_jobs_.push_back(&job);
    --jobs_out_;
}

} // namespace numavp
