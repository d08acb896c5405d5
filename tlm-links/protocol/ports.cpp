#include "tlm-links/protocol/ports.h"

#include <algorithm>

#include "base/values/error.h"
#include "tlm-links/protocol/access_trail.h"

namespace numavp {

namespace {

// Never inlined, so that the code through which every record passes stays small.
[[gnu::cold, gnu::noinline]] void breach(const sc_core::sc_object& port, const char* what) {
    SC_REPORT_ERROR("numavp/protocol", (std::string(port.name()) + ": " + what).c_str());
}

[[gnu::cold, gnu::noinline]] tlm::tlm_sync_enum unexpected(const sc_core::sc_object& port, const tlm::tlm_phase& phase,
                                                           const char* path) {
    if (phase <= tlm::END_RESP) breach(port, (std::string(phase.get_name()) + path).c_str()); // others are ignorable
    return tlm::TLM_ACCEPTED;
}

/// Checks a payload from a module that is not ours: two of our ports that are bound to each other send only records.
bool is_record(const sc_core::sc_object& port, const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    if (is_own<Txn>(payload)) return true;
    report_stranger(port, phase, "is none of the platform's records; put an edge adapter between");
    return false;
}

} // namespace

Wire::Wire(ClockDomain& domain, WireSpec spec)
    : wheel_(&domain), depth_(static_cast<std::uint16_t>(std::min(spec.depth, kMaxDepth))), part_(spec.part),
      blocked_(false), outside_(true), consumer_(false) {
    if (domain.clockwork().workers() > 1) domain.clockwork().tell_when_bound(*this);
}

void Wire::send_across(const ClockDomain& theirs) {
    const unsigned from = wheel_->shard(), to = theirs.shard();
    if (from == to) return;
    if (theirs.khz() != wheel_->khz() || (feeder_ && feeder_->clock().khz() != wheel_->khz()))
        throw ModelError("a wire between two shards has a clock of its own at each end");
    wheel_ = &wheel_->clockwork().border(wheel_->khz(), from, to);
}

/// Rare work on a record before it is stamped.
[[gnu::cold, gnu::noinline]] void Wire::note(Txn& txn) {
    if (outside_ && !txn.seen_outside) txn.show();
    if (!txn.followed) return;
    const std::uint64_t now_ps = wheel_->clockwork().now_ps();
    if (txn.trail->blamed() == Waited::room)
        txn.trail->waited(place(), now_ps, Waited::room);
    else
        txn.trail->passed(place(), now_ps);
}

/// A record is at the wire's end, where another one's phase has not ended.
void Wire::wait_at_end(Txn& txn) {
    waiting_.push(txn);
    if (__builtin_expect(!txn.followed, 1)) return;
    txn.trail->passed(place(), wheel_->clockwork().now_ps());
    txn.trail->blame(Waited::room);
}

// Not inlined into the calls by which every record comes.
[[gnu::noinline]] void Wire::ended() {
    blocked_ = false;
    gone();
    while (!blocked_ && !waiting_.empty()) deliver(waiting_.pop()); // there may be room for several by now
    waiting_.prefetch_front();                                      // it has waited, and its turn may be soon
}

// --- InitiatorPort

InitiatorPort::InitiatorPort(const char* name, ClockDomain& domain, WireSpec spec, RequesterIf& owner, unsigned number)
    : WireTo(domain, spec), domain_(domain), owner_(owner), number_(static_cast<std::uint16_t>(number)), socket(name) {
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    ending_.handler = &ending_;
    ending_.port = this;
}

/// Looked up once: the binding is complete when the first call is made.
tlm::tlm_fw_transport_if<>& InitiatorPort::forward() {
    if (forward_) return *forward_;
    forward_ = dynamic_cast<tlm::tlm_fw_transport_if<>*>(socket.get_base_port().get_interface());
    auto* const port = dynamic_cast<TargetPort*>(forward_);
    outside_ = port == nullptr;
    ending_.aim(port);
    if (port) {
        peer_ = &port->owner_;
        peer_number_ = port->number_;
        set_beyond(peer_->touched_by_request(peer_number_), 0);
    }
    return *forward_;
}

void InitiatorPort::bound() {
    forward();
    if (!outside_) send_across(static_cast<TargetPort*>(forward_)->domain_);
}

void InitiatorPort::deliver(Node& node) {
    auto& arrived = static_cast<Txn&>(node);
    if (needs_care(arrived)) return deliver_with_care(arrived);
    arrive(arrived, [this](Txn& txn) { return peer_->request(peer_number_, txn); });
}

[[gnu::noinline]] void InitiatorPort::deliver_with_care(Txn& arrived) {
    if (!forward_) forward(); // only what leaves for a module outside is shown
    arrive_with_care(arrived,
                     [this](Txn& txn) { return outside_ ? request_outside(txn) : peer_->request(peer_number_, txn); });
}

bool InitiatorPort::request_outside(Txn& txn) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = forward().nb_transport_fw(txn, phase, delay);
    if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) return true;
    if (status != tlm::TLM_ACCEPTED && !(status == tlm::TLM_UPDATED && phase > tlm::END_RESP))
        breach(socket, "a request was answered neither with room nor with acceptance");
    return false;
}

tlm::tlm_sync_enum InitiatorPort::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time&) {
    if (phase == tlm::BEGIN_RESP) return outside_ ? take_from_outside(payload, phase) : take(Txn::of(payload));
    if (phase != tlm::END_REQ) return unexpected(socket, phase, " on the backward path");
    if (!blocked()) return unexpected(socket, phase, " without a request that waits for it");
    ended();
    return tlm::TLM_ACCEPTED;
}

inline tlm::tlm_sync_enum InitiatorPort::take(Txn& txn) {
    return owner_.response(number_, txn) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum InitiatorPort::take_from_outside(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    return is_record(socket, payload, phase) ? take(Txn::of(payload)) : tlm::TLM_COMPLETED;
}

void InitiatorPort::end_response(Txn& txn, Cycle edge) {
    if (__builtin_expect(ending_.wire == nullptr, 0)) end_outside(txn);
    domain_.at(edge, ending_);
}

/// The other side may not be a port of ours: it is told which record it is.
[[gnu::cold, gnu::noinline]] void InitiatorPort::end_outside(Txn& txn) {
    ending_.txn = &txn;
    if (!forward_) forward();
}

void InitiatorPort::Ending::deliver(Node&) {
    if (__builtin_expect(wire != nullptr, 1)) return wire->ended();
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    port->forward().nb_transport_fw(*txn, phase, delay);
}

// --- TargetPort

TargetPort::TargetPort(const char* name, ClockDomain& domain, WireSpec spec, ResponderIf& owner, unsigned number)
    : WireTo(domain, spec), domain_(domain), owner_(owner), number_(static_cast<std::uint16_t>(number)), socket(name) {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    ending_.handler = &ending_;
    ending_.port = this;
}

tlm::tlm_bw_transport_if<>& TargetPort::backward() {
    if (backward_) return *backward_;
    backward_ = dynamic_cast<tlm::tlm_bw_transport_if<>*>(socket.get_base_port().get_interface());
    auto* const port = dynamic_cast<InitiatorPort*>(backward_);
    outside_ = port == nullptr;
    ending_.aim(port);
    if (port) {
        peer_ = &port->owner_;
        peer_number_ = port->number_;
        set_beyond(peer_->touched_by_response(peer_number_), port->marks());
    }
    return *backward_;
}

void TargetPort::bound() {
    backward();
    if (!outside_) send_across(static_cast<InitiatorPort*>(backward_)->domain_);
}

void TargetPort::deliver(Node& node) {
    auto& arrived = static_cast<Txn&>(node);
    if (needs_care(arrived)) return deliver_with_care(arrived);
    arrive(arrived, [this](Txn& txn) { return peer_->response(peer_number_, txn); });
}

[[gnu::noinline]] void TargetPort::deliver_with_care(Txn& arrived) {
    if (!backward_) backward(); // as above
    arrive_with_care(arrived,
                     [this](Txn& txn) { return outside_ ? respond_outside(txn) : peer_->response(peer_number_, txn); });
}

bool TargetPort::respond_outside(Txn& txn) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    return backward().nb_transport_bw(txn, phase, delay) == tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum TargetPort::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time&) {
    if (phase == tlm::BEGIN_REQ) return outside_ ? take_from_outside(payload, phase) : take(Txn::of(payload), phase);
    if (phase != tlm::END_RESP) return unexpected(socket, phase, " on the forward path");
    if (!blocked()) return unexpected(socket, phase, " without a response that waits for it");
    ended();
    return tlm::TLM_COMPLETED;
}

inline tlm::tlm_sync_enum TargetPort::take(Txn& txn, tlm::tlm_phase& phase) {
    if (!owner_.request(number_, txn)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

/// Or from a port of ours, as long as the other side is not known. A record of a module outside is shown before it is
/// answered, whoever made it.
tlm::tlm_sync_enum TargetPort::take_from_outside(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
    if (!backward_) backward();
    if (outside_ && !is_record(socket, payload, phase)) {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    Txn& txn = Txn::of(payload);
    if (outside_ && !txn.seen_outside) txn.show();
    return take(txn, phase);
}

void TargetPort::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    breach(socket, "blocking transport on a port inside the platform; put an edge adapter in front");
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

unsigned int TargetPort::transport_dbg(tlm::tlm_generic_payload& payload) {
    return debug_ ? debug_->transport_dbg(payload) : 0;
}

void TargetPort::end_request(Txn& txn, Cycle edge) {
    if (__builtin_expect(ending_.wire == nullptr, 0)) end_outside(txn);
    domain_.at(edge, ending_);
}

/// The other side may not be a port of ours: it is told which record it is.
[[gnu::cold, gnu::noinline]] void TargetPort::end_outside(Txn& txn) {
    ending_.txn = &txn;
    if (!backward_) backward();
}

void TargetPort::Ending::deliver(Node&) {
    if (__builtin_expect(wire != nullptr, 1)) return wire->ended();
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    port->backward().nb_transport_bw(*txn, phase, delay);
}

} // namespace numavp
