#include "tlm-links/flits/tlm_to_flits.h"

#include <algorithm>

#include "base/values/error.h"
#include "tlm-links/edge/flat_access.h"

namespace numavp {

using tlm::tlm_generic_payload;

TlmToFlits::TlmToFlits(sc_core::sc_module_name name, const TlmToFlitsConfig& config, FlitClock& clock,
                       const Wires& wires)
    : BridgeTarget(name), config_(config), clock_(clock), wires_(wires), requests_(config.channel.sender),
      responses_(config.channel.receiver), by_id_(config.ids, nullptr) {
    if (config.ids == 0 || config.ids > 0x10000) throw ModelError("requests in flits have 1 to 65536 ids");
    for (unsigned id = config.ids; id-- > 0;) free_ids_.push_back(static_cast<std::uint16_t>(id));
    clock_.add(*this);
}

unsigned int TlmToFlits::transport_dbg(tlm_generic_payload& payload) {
    return debug_ ? debug_->transport_dbg(payload) : 0;
}

// --- the clock

void TlmToFlits::edge(std::uint64_t now) {
    admit(now);
    requests_.edge(wires_.requests.rx);
    responses_.edge(wires_.responses.tx);
    end_requests();
    respond(now);
    if (any_arrived() && !free_ids_.empty()) clock_.tick_after(std::max(now, arrival_ps()));
}

void TlmToFlits::drive() {
    wires_.requests.tx = requests_.pins();
    wires_.responses.rx = responses_.pins();
}

bool TlmToFlits::idle() const {
    return requests_.idle() && responses_.idle() && (!any_answered_here() || responding());
}

/// Requests from before this edge go to the sender, as many as it has places for.
void TlmToFlits::admit(std::uint64_t now) {
    while (requests_.can_take() && !free_ids_.empty()) {
        Call* const call = take_arrived(now);
        if (!call) return;
        if (!answered_here(*call, config_.range)) send(*call);
    }
}

void TlmToFlits::send(Call& call) {
    const tlm_generic_payload& p = *call.payload;
    Packet packet;
    packet.kind = p.is_write() ? PacketKind::write : PacketKind::read;
    packet.id = free_ids_.back();
    free_ids_.pop_back();
    by_id_[packet.id] = &call;
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
        if (!by_id_[*id]->blocking) end_request(*by_id_[*id]->payload);
    }
}

BridgeTarget::Call* TlmToFlits::take_answer() {
    if (!responses_.any()) return nullptr;
    const Packet& packet = responses_.front();
    Call* const call = packet.id < by_id_.size() ? by_id_[packet.id] : nullptr;
    if (!call || packet.kind != PacketKind::response) throw ModelError("flits answer what was not asked");
    tlm_generic_payload& p = *call->payload;
    p.set_response_status(static_cast<tlm::tlm_response_status>(static_cast<std::int8_t>(packet.status)));
    if (p.is_read() && p.is_response_ok()) {
        if (packet.bytes.size() != extent_of(p)) throw ModelError("flits answer a read with another length");
        scatter_bytes(p, packet.bytes);
    }
    by_id_[packet.id] = nullptr;
    free_ids_.push_back(packet.id);
    responses_.pop();
    return call;
}

} // namespace numavp
