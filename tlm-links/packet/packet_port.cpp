#include "tlm-links/packet/packet_port.h"

#include <string>

namespace numavp {

PacketPort::PacketPort(ClockDomain& domain, PacketOwner& owner, unsigned number)
    : wheel_(&domain), owner_(owner), number_(number), shard_(domain.shard()) {
    packet_out_.port = credit_out_.port = this;
    credit_out_.credits = true;
    if (domain.clockwork().workers() > 1) domain.clockwork().tell_when_bound(packet_out_);
}

PacketPort::~PacketPort() = default;

void PacketPort::send(PacketPayload& packet, Cycle edge) {
    packet.handler = &packet_out_;
    wheel_->at(edge, packet);
}

void PacketPort::send_credit(unsigned number, unsigned flits, Cycle edge) {
    if (spare_.empty()) {
        credits_.push_back(std::make_unique<PacketPayload>());
        spare_.push_back(credits_.back().get());
    }
    PacketPayload& credit = *spare_.back();
    spare_.pop_back();
    credit.virtual_channel = credit.message_class = static_cast<std::uint8_t>(number);
    credit.flits = static_cast<std::uint16_t>(flits);
    credit.handler = &credit_out_;
    wheel_->at(edge, credit);
}

inline void PacketPort::arrived(PacketPayload& payload, bool credits) {
    if (!credits) return owner_.packet(number_, payload);
    owner_.credit(number_, by_class_ ? payload.message_class : payload.virtual_channel, payload.flits);
}

/// Once, at the first call: the binding is complete then.
void PacketPort::look_up() {
    looked_up_ = true;
    peer_ = other_side();
    if (peer_ == nullptr) return;
    packet_out_.aim(*peer_);
    credit_out_.aim(*peer_);
}

void PacketPort::send_across() {
    look_up();
    if (peer_ == nullptr || peer_->shard_ == shard_) return;
    wheel_ = &wheel_->clockwork().border(wheel_->khz(), shard_, peer_->shard_);
}

void PacketPort::Departure::deliver(Node& node) {
    auto& payload = static_cast<PacketPayload&>(node);
    if (__builtin_expect(!port->looked_up_, 0)) port->look_up();
    if (__builtin_expect(port->peer_ != nullptr, 1)) {
        port->peer_->arrived(payload, credits);
    } else {
        tlm::tlm_phase phase = credits ? tlm::tlm_phase(CREDIT) : tlm::tlm_phase(PACKET);
        port->call(payload, phase);
    }
    if (credits) port->spare_.push_back(&payload);
}

tlm::tlm_sync_enum PacketPort::take(const char* port, PacketPayload& payload, const tlm::tlm_phase& phase) {
    if (phase == PACKET || phase == CREDIT)
        arrived(payload, phase == CREDIT);
    else
        SC_REPORT_ERROR("numavp/protocol",
                        (std::string(port) + ": " + phase.get_name() + " is no phase of packets").c_str());
    return tlm::TLM_ACCEPTED;
}

PacketInitiatorPort::PacketInitiatorPort(const char* name, ClockDomain& domain, PacketOwner& owner, unsigned number)
    : PacketPort(domain, owner, number), socket(name) {
    by_class_ = true;
    socket.bind(static_cast<PacketBackwardIf&>(*this));
}

PacketPort* PacketInitiatorPort::other_side() {
    return dynamic_cast<PacketTargetPort*>(socket.get_base_port().get_interface());
}

void PacketInitiatorPort::call(PacketPayload& payload, tlm::tlm_phase& phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum PacketInitiatorPort::nb_transport_bw(PacketPayload& payload, tlm::tlm_phase& phase,
                                                        sc_core::sc_time&) {
    return take(socket.name(), payload, phase);
}

PacketTargetPort::PacketTargetPort(const char* name, ClockDomain& domain, PacketOwner& owner, unsigned number)
    : PacketPort(domain, owner, number), socket(name) {
    socket.bind(static_cast<PacketForwardIf&>(*this));
}

PacketPort* PacketTargetPort::other_side() {
    return dynamic_cast<PacketInitiatorPort*>(socket.get_base_port().get_interface());
}

void PacketTargetPort::call(PacketPayload& payload, tlm::tlm_phase& phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, phase, delay);
}

tlm::tlm_sync_enum PacketTargetPort::nb_transport_fw(PacketPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    return take(socket.name(), payload, phase);
}

void PacketTargetPort::b_transport(PacketPayload&, sc_core::sc_time&) {
    SC_REPORT_ERROR("numavp/protocol",
                    (std::string(socket.name()) + ": packets are not sent by blocking calls").c_str());
}

} // namespace numavp
