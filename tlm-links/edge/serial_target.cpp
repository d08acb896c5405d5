#include "tlm-links/edge/serial_target.h"

#include <algorithm>

#include "base/time/sim_time.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

SerialTarget::SerialTarget(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

void SerialTarget::arrive(const Entry& entry) {
    waiting_.push_back(entry);
    if (!serving_.payload) wake_after(std::max(entry.ps, free_ps_));
}

tlm_sync_enum SerialTarget::nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
        payload.acquire();
        arrive({&payload, sc_now_ps() + delay.value()});
    } else if (phase == tlm::END_RESP) {
        if (serving_.payload != &payload)
            SC_REPORT_ERROR("numavp/protocol", "END_RESP for a transaction that is not in its response phase");
        else
            over(sc_now_ps() + delay.value());
    }
    return tlm::TLM_ACCEPTED; // other phases are ignorable
}

void SerialTarget::b_transport(tlm_generic_payload& payload, sc_time& delay) {
    BlockingCall* own = nullptr;
    BlockingCall call([this, &own] { abandon(*own); });
    own = &call;
    arrive({&payload, sc_now_ps() + delay.value(), &call, true});
    call.wait();
    delay = sc_core::SC_ZERO_TIME;
}

void SerialTarget::abandon(const BlockingCall& call) {
    const auto waits = [&call](const Entry& entry) { return entry.caller == &call; };
    waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), waits), waiting_.end());
    if (!waits(serving_)) return;
    const tlm_generic_payload& p = *serving_.payload;
    abandoned_data_.assign(p.get_data_ptr(), p.get_data_ptr() + p.get_data_length());
    const unsigned char* const enables = p.get_byte_enable_ptr();
    abandoned_enables_.assign(enables, enables + (enables ? p.get_byte_enable_length() : 0));
    abandoned_.set_command(p.get_command());
    abandoned_.set_address(p.get_address());
    abandoned_.set_data_ptr(abandoned_data_.data());
    abandoned_.set_data_length(p.get_data_length());
    abandoned_.set_streaming_width(p.get_streaming_width());
    abandoned_.set_byte_enable_ptr(enables ? abandoned_enables_.data() : nullptr);
    abandoned_.set_byte_enable_length(static_cast<unsigned>(abandoned_enables_.size()));
    serving_.payload = &abandoned_;
    serving_.caller = nullptr;
}

tlm_generic_payload* SerialTarget::next(std::uint64_t now) {
    if (serving_.payload || waiting_.empty()) return nullptr;
    if (const std::uint64_t due = std::max(waiting_.front().ps, free_ps_); due >= now) {
        wake_after(due); // somebody asked for an earlier edge
        return nullptr;
    }
    serving_ = waiting_.front();
    waiting_.pop_front();
    requesting_ = !serving_.blocking;
    return serving_.payload;
}

void SerialTarget::end_request() {
    if (!requesting_) return;
    requesting_ = false;
    tlm_phase phase = tlm::END_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(*serving_.payload, phase, delay);
}

void SerialTarget::respond() {
    if (serving_.blocking) {
        if (serving_.caller) serving_.caller->end();
        serving_ = {};
        if (!waiting_.empty()) wake_after(std::max(waiting_.front().ps, sc_now_ps()));
        return;
    }
    requesting_ = false;
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm_sync_enum status = socket->nb_transport_bw(*serving_.payload, phase, delay);
    const bool ended = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (ended && serving_.payload) over(sc_now_ps() + delay.value());
}

/// The response phase ends at `ps`.
void SerialTarget::over(std::uint64_t ps) {
    tlm_generic_payload& payload = *serving_.payload;
    serving_ = {};
    free_ps_ = ps;
    if (!waiting_.empty()) wake_after(std::max(waiting_.front().ps, free_ps_));
    payload.release();
}

} // namespace numavp
