#include "tlm-links/flits/flits_to_tlm.h"

#include <algorithm>

#include "base/values/error.h"
#include "tlm-links/protocol/own_payload.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

struct FlitsToTlm::Access final : tlm_generic_payload {
    std::uint16_t id = 0;
    std::uint64_t answered_ps = 0;
    std::vector<unsigned char> bytes;
    std::vector<unsigned char> enables;
};

FlitsToTlm::FlitsToTlm(sc_core::sc_module_name name, const FlitsToTlmConfig& config, FlitClock& clock,
                       const Wires& wires)
    : sc_module(name), socket("socket"), config_(config), clock_(clock), wires_(wires),
      requests_(config.channel.receiver), responses_(config.channel.sender) {
    if (config.outstanding == 0) throw ModelError("requests from flits need a place in the target");
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    clock_.add(*this);
}

FlitsToTlm::~FlitsToTlm() = default;

// --- the clock

void FlitsToTlm::edge(std::uint64_t now) {
    send_responses(now);
    requests_.edge(wires_.requests.tx);
    responses_.edge(wires_.responses.rx);
    while (responses_.pop_sent()) {}
    if (can_issue(now)) issue();
}

void FlitsToTlm::drive() {
    wires_.requests.rx = requests_.pins();
    wires_.responses.tx = responses_.pins();
}

bool FlitsToTlm::idle() const { return requests_.idle() && responses_.idle(); }

// --- requests

FlitsToTlm::Access& FlitsToTlm::take_spare() {
    if (spare_.empty()) {
        accesses_.push_back(std::make_unique<Access>());
        accesses_.back()->set_mm(this);
        spare_.push_back(accesses_.back().get());
    }
    Access& access = *spare_.back();
    spare_.pop_back();
    return access;
}

FlitsToTlm::Access& FlitsToTlm::make(const Packet& request) {
    const bool write = request.kind == PacketKind::write;
    if ((!write && request.kind != PacketKind::read) || request.length == 0 || write == request.bytes.empty())
        throw ModelError("flits ask for what is neither a read nor a write of some bytes");
    Access& access = take_spare();
    access.id = request.id;
    access.bytes = request.bytes;
    access.bytes.resize(request.length);
    access.enables.resize(request.enables.empty() ? 0 : request.length);
    for (std::size_t i = 0; i < access.enables.size(); ++i)
        access.enables[i] = request.enabled(i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    access.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    access.set_address(request.address);
    access.set_data_ptr(access.bytes.data());
    access.set_data_length(request.length);
    access.set_streaming_width(request.length);
    access.set_byte_enable_ptr(access.enables.empty() ? nullptr : access.enables.data());
    access.set_byte_enable_length(static_cast<unsigned>(access.enables.size()));
    access.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    access.set_dmi_allowed(false);
    return access;
}

void FlitsToTlm::free(tlm_generic_payload* payload) {
    payload->free_all_extensions();
    spare_.push_back(static_cast<Access*>(payload));
}

bool FlitsToTlm::can_issue(std::uint64_t now) const {
    if (!requests_.any() || out_.size() >= config_.outstanding) return false;
    if (requesting_ || request_free_ps_ >= now) return false;
    const Packet& next = requests_.front();
    return std::none_of(out_.begin(), out_.end(), [&](const Access* other) {
        if (other->is_read() && next.kind != PacketKind::write) return false;
        return other->get_address() < next.address + next.length &&
               next.address < other->get_address() + other->get_data_length();
    });
}

/// The base protocol has no atomics: the pins get the answer of a target that knows none.
void FlitsToTlm::refuse() {
    Access& access = take_spare();
    access.id = requests_.front().id;
    requests_.pop();
    access.set_command(tlm::TLM_IGNORE_COMMAND);
    access.set_data_length(0);
    access.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    access.acquire();
    out_.push_back(&access);
    answered(access, sc_core::SC_ZERO_TIME);
}

void FlitsToTlm::issue() {
    if (requests_.front().kind == PacketKind::atomic) return refuse();
    Access& access = make(requests_.front());
    requests_.pop();
    access.acquire(); // until its response is in flits
    out_.push_back(&access);
    requesting_ = &access;
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm_sync_enum status = socket->nb_transport_fw(access, phase, delay);
    if (status == tlm::TLM_ACCEPTED) return;
    if (status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP)
        answered(access, delay);
    else if (phase == tlm::END_REQ)
        request_ended(delay);
    if (status == tlm::TLM_COMPLETED || phase != tlm::BEGIN_RESP) return;
    phase = tlm::END_RESP;
    socket->nb_transport_fw(access, phase, delay);
}

void FlitsToTlm::request_ended(const sc_time& delay) {
    requesting_ = nullptr;
    request_free_ps_ = sc_now_ps() + delay.value();
}

// --- responses

tlm_sync_enum FlitsToTlm::nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // ignorable
    auto* const own = own_payload<Access>(payload, socket, phase);
    if (!own) return tlm::TLM_ACCEPTED;
    Access& access = *own;
    if (phase == tlm::END_REQ) {
        if (requesting_ == &access) request_ended(delay);
        return tlm::TLM_ACCEPTED;
    }
    answered(access, delay);
    return tlm::TLM_COMPLETED;
}

void FlitsToTlm::answered(Access& access, const sc_time& delay) {
    if (requesting_ == &access) request_ended(delay); // a response ends the request
    access.answered_ps = sc_now_ps() + delay.value();
    answered_.push_back(&access);
    clock_.tick_after(access.answered_ps);
}

/// Answers from before this edge go to the sender, as many as it has places for.
void FlitsToTlm::send_responses(std::uint64_t now) {
    while (!answered_.empty() && answered_.front()->answered_ps < now && responses_.can_take()) {
        Access& access = *answered_.front();
        answered_.pop_front();
        Packet packet;
        packet.kind = PacketKind::response;
        packet.id = access.id;
        packet.status = static_cast<std::uint8_t>(access.get_response_status());
        packet.length = access.get_data_length();
        if (access.is_read() && access.is_response_ok()) packet.bytes = access.bytes;
        responses_.take(packet);
        out_.erase(std::find(out_.begin(), out_.end(), &access));
        access.release();
    }
    if (!answered_.empty()) clock_.tick_after(std::max(now, answered_.front()->answered_ps));
}

} // namespace numavp
