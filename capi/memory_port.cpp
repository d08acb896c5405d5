#include "capi/memory_port.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

MemoryPort::MemoryPort(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.bind(*this);
    SC_METHOD(send);
    sensitive << changed_;
    dont_initialize();
}

bool MemoryPort::next(Request& request) {
    if (arrived_.empty()) return false;
    request.id = arrived_.front();
    arrived_.pop_front();
    Slot& slot = slots_[request.id];
    slot.state = State::taken;
    const tlm::tlm_generic_payload& payload = *slot.payload;
    request.write = payload.is_write();
    request.address = payload.get_address();
    request.bytes = payload.get_data_length();
    request.data.fill(0);
    request.enabled.fill(false);
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; request.write && i < request.bytes; ++i) {
        request.enabled[i] = !enables || enables[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
        if (request.enabled[i]) request.data[i] = payload.get_data_ptr()[i];
    }
    return true;
}

void MemoryPort::respond(std::uint64_t id, const unsigned char* data, bool failed) {
    if (id >= slots_.size() || slots_[id].state != State::taken)
        throw ConfigError(fmt::format("request {}", id), "none of that number was taken and not answered");
    Slot& slot = slots_[id];
    tlm::tlm_generic_payload& payload = *slot.payload;
    const bool fills = payload.is_read() && !failed;
    if (fills && !data) throw ConfigError(fmt::format("request {}", id), "a read is answered with data");
    if (fills) std::memcpy(payload.get_data_ptr(), data, payload.get_data_length());
    payload.set_response_status(failed ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    slot.state = State::answered;
    --unanswered_;
    answered_.push_back(static_cast<unsigned>(id));
    changed_.notify(sc_core::SC_ZERO_TIME);
}

void MemoryPort::send() {
    if (waiting_ && take(*waiting_)) {
        tlm::tlm_generic_payload& payload = *waiting_;
        waiting_ = nullptr;
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_bw(payload, phase, delay);
    }
    while (!responding_ && !answered_.empty()) {
        responding_ = true;
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        if (socket->nb_transport_bw(*slots_[answered_.front()].payload, phase, delay) != tlm::TLM_ACCEPTED)
            end_response();
        // else END_RESP comes later, or has come within the call
    }
}

void MemoryPort::end_response() {
    Slot& slot = slots_[answered_.front()];
    answered_.pop_front();
    slot.state = State::free;
    responding_ = false;
    slot.payload->release();
    if (waiting_) changed_.notify(sc_core::SC_ZERO_TIME);
}

bool MemoryPort::take(tlm::tlm_generic_payload& payload) {
    const auto slot = std::find_if(slots_.begin(), slots_.end(), [](const Slot& s) { return s.state == State::free; });
    if (slot == slots_.end()) return false;
    *slot = {State::arrived, &payload};
    arrived_.push_back(static_cast<unsigned>(slot - slots_.begin()));
    return true;
}

tlm::tlm_sync_enum MemoryPort::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& /*delay*/) {
    if (phase == tlm::END_RESP) {
        end_response();
        changed_.notify(sc_core::SC_ZERO_TIME);
        return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    payload.acquire();
    ++unanswered_;
    if (!take(payload)) { // its END_REQ comes with a free id
        waiting_ = &payload;
        return tlm::TLM_ACCEPTED;
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

/// Refuses blocking calls: the caller can answer only while time stands still, so the call would never return.
void MemoryPort::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

} // namespace numavp
