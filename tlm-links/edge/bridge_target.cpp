#include "tlm-links/edge/bridge_target.h"

#include <algorithm>

#include "base/time/sim_time.h"
#include "tlm-links/protocol/atomic.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

BridgeTarget::BridgeTarget(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

BridgeTarget::~BridgeTarget() = default;

// --- from the initiator

BridgeTarget::Call& BridgeTarget::arrive(tlm_generic_payload& payload, const sc_time& delay, bool blocking) {
    if (free_.empty()) {
        calls_.push_back(make_call());
        free_.push_back(calls_.back().get());
    }
    Call& call = *free_.back();
    free_.pop_back();
    ++calls_out_;
    call.payload = &payload;
    call.arrival_ps = sc_now_ps() + delay.value();
    call.blocking = blocking;
    call.taken = false;
    call.caller = nullptr;
    arrived_.push(&call);
    on_arrival(call);
    return call;
}

tlm_sync_enum BridgeTarget::nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
        payload.acquire();
        if (takes_at_once(arrive(payload, delay, false))) {
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
    } else if (phase == tlm::END_RESP) {
        if (responding_ != &payload)
            SC_REPORT_ERROR("numavp/protocol", "END_RESP for a transaction that is not in its response phase");
        else
            end_response(delay);
    }
    return tlm::TLM_ACCEPTED; // other phases are ignorable
}

void BridgeTarget::b_transport(tlm_generic_payload& payload, sc_time& delay) {
    Call& call = arrive(payload, delay, true);
    BlockingCall caller([this, &call] { leave(call); });
    call.caller = &caller;
    caller.wait();
    delay = sc_core::SC_ZERO_TIME;
}

/// The caller's process ends within the call, and its payload with it.
void BridgeTarget::leave(Call& call) {
    call.caller = nullptr;
    const tlm_generic_payload& p = *call.payload;
    if (!call.taken) {
        call.payload = nullptr; // dropped when its turn comes
        return;
    }
    const unsigned char* const enables = p.get_byte_enable_ptr();
    call.left_data.assign(p.get_data_ptr(), p.get_data_ptr() + p.get_data_length());
    call.left_enables.assign(enables, enables + (enables != nullptr ? p.get_byte_enable_length() : 0));
    tlm_generic_payload& own = call.left_with;
    own.set_command(p.get_command());
    own.set_address(p.get_address());
    own.set_data_ptr(call.left_data.data());
    own.set_data_length(p.get_data_length());
    own.set_streaming_width(p.get_streaming_width());
    own.set_byte_enable_ptr(enables != nullptr ? call.left_enables.data() : nullptr);
    own.set_byte_enable_length(static_cast<unsigned>(call.left_enables.size()));
    own.set_response_status(p.get_response_status());
    call.payload = &own;
}

BridgeTarget::Call* BridgeTarget::take_arrived(std::uint64_t now) {
    while (any_arrived() && arrival_ps() < now) {
        Call& call = *arrived_.pop();
        call.taken = true;
        if (call.payload != nullptr) return &call;
        retire(call);
    }
    return nullptr;
}

bool BridgeTarget::answered_here(Call& call, const AddressRange& range) {
    tlm_generic_payload& p = *call.payload;
    const bool ignored = asks_nothing(p);
    const tlm::tlm_response_status status = ignored ? tlm::TLM_OK_RESPONSE : check_access(p, range);
    if (!ignored && status == tlm::TLM_OK_RESPONSE) return false;
    p.set_response_status(status);
    answered_here_.push(&call);
    return true;
}

// --- to the initiator

void BridgeTarget::end_request(tlm_generic_payload& payload) {
    tlm_phase phase = tlm::END_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, phase, delay);
}

void BridgeTarget::respond(std::uint64_t now) {
    if (responding_) return; // END_RESP asks for an edge
    if (response_free_ps_ < now) {
        if (Call* call = any_answered_here() ? answered_here_.pop() : take_answer()) begin_response(*call);
    }
    if (!responding_ && (any_answer() || any_answered_here())) wake_after(std::max(now, response_free_ps_));
}

void BridgeTarget::begin_response(Call& call) {
    if (call.blocking) {
        if (call.caller != nullptr) call.caller->end();
        retire(call);
        return response_over();
    }
    responding_ = call.payload;
    retire(call);
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm_sync_enum status = socket->nb_transport_bw(*responding_, phase, delay);
    const bool ended = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (ended && responding_) end_response(delay);
}

void BridgeTarget::end_response(const sc_time& delay) {
    tlm_generic_payload& payload = *responding_;
    responding_ = nullptr;
    response_free_ps_ = sc_now_ps() + delay.value();
    if (any_answer() || any_answered_here()) wake_after(response_free_ps_);
    response_over();
    payload.release();
}

void BridgeTarget::retire(Call& call) {
    call.payload = nullptr;
    call.caller = nullptr;
    free_.push_back(&call);
    --calls_out_;
}

} // namespace numavp
