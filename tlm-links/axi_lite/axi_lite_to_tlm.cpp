#include "tlm-links/axi_lite/axi_lite_to_tlm.h"

#include <utility>

#include "tlm-links/axi/axi_response.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

AxiLiteToTlm::AxiLiteToTlm(sc_core::sc_module_name name, const ClockDomain& clock, rtl::AxiLiteManager& manager)
    : sc_module(name), socket("socket"), manager_(manager), clock_(clock) {
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    payload_.set_mm(this);
    SC_METHOD(tick);
    sensitive << clock_.event();
    dont_initialize();
}

// --- the clock

void AxiLiteToTlm::start_of_simulation() {
    manager_.settle(core_.pins());
    if (!manager_.idle()) clock_.run_after(sc_now_ps());
}

void AxiLiteToTlm::interrupt(bool level) {
    if (level_ps_ < sc_now_ps()) before_ = level_;
    level_ = level;
    level_ps_ = sc_now_ps();
    clock_.run_after(level_ps_);
}

void AxiLiteToTlm::tick() {
    const std::uint64_t now = clock_.begin();
    if (response_ps_ < now) answer();
    if (observer_) observer_(manager_.pins(), core_.pins());
    core_.edge(manager_.pins()); // both sides see what the other drove before the edge
    manager_.edge();
    const bool untold = level_ps_ >= now; // the line moved at this very time: the next edge says so
    manager_.interrupt(untold ? before_ : level_);
    manager_.settle(core_.pins());
    if (!payload_held_ && free_ps_ < now)
        if (AxiLiteAccess* const access = core_.next_request()) send(*access);
    if (untold || !manager_.idle() || !core_.idle()) clock_.run_on();
}

// --- the target

void AxiLiteToTlm::send(AxiLiteAccess& access) {
    payload_.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload_.set_address(access.address);
    payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&access.data));
    payload_.set_data_length(rtl::kAxiLiteBytes);
    payload_.set_streaming_width(rtl::kAxiLiteBytes);
    const bool partial = access.write && access.strobes != rtl::kAxiLiteStrobes;
    for (unsigned i = 0; i < rtl::kAxiLiteBytes; ++i) enables_[i] = (access.strobes >> i & 1U) != 0 ? 0xff : 0;
    payload_.set_byte_enable_ptr(partial ? enables_ : nullptr);
    payload_.set_byte_enable_length(partial ? rtl::kAxiLiteBytes : 0);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload_.set_dmi_allowed(false);
    payload_.acquire();
    payload_held_ = true;
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm_sync_enum status = socket->nb_transport_fw(payload_, phase, delay);
    const bool responds = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
    if (status == tlm::TLM_COMPLETED || responds) response_ps_ = sc_now_ps() + delay.value();
    if (responds) end_response(delay);
}

void AxiLiteToTlm::end_response(sc_time delay) {
    tlm_phase phase = tlm::END_RESP;
    socket->nb_transport_fw(payload_, phase, delay);
}

tlm_sync_enum AxiLiteToTlm::nb_transport_bw(tlm::tlm_generic_payload&, tlm_phase& phase, sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // END_REQ: the next request waits for the response anyway
    response_ps_ = sc_now_ps() + delay.value();
    return tlm::TLM_COMPLETED;
}

/// A response from before this edge goes to the pins.
void AxiLiteToTlm::answer() {
    free_ps_ = std::exchange(response_ps_, kNever);
    const unsigned response = axi_response_of(payload_.get_response_status());
    payload_.release();
    core_.finish(response);
}

void AxiLiteToTlm::free(tlm::tlm_generic_payload* payload) {
    payload->reset(); // of extensions that others have left
    payload_held_ = false;
}

} // namespace numavp
