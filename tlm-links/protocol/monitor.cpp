#include "tlm-links/protocol/monitor.h"

#include <algorithm>

#include "base/time/sim_time.h"
#include "tlm-links/protocol/atomic.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_sync_enum;

namespace {
std::uint64_t effective_ps(const sc_time& delay) { return sc_now_ps() + delay.value(); }
} // namespace

Monitor::Monitor(sc_core::sc_module_name name) : sc_module(name), above("above"), below("below") {
    above.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    below.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

void Monitor::request_seen() {
    ++stats_.requests;
    stats_.in_flight_max = std::max(stats_.in_flight_max, in_flight());
}

void Monitor::response(const tlm_generic_payload& payload, std::uint64_t request_ps, const sc_time& delay) {
    const std::uint64_t response_ps = effective_ps(delay);
    ++stats_.responses;
    if (!payload.is_response_ok()) ++stats_.errors;
    if (payload.is_read()) stats_.bytes_read += payload.get_data_length();
    if (payload.is_write() || atomic_of(payload)) stats_.bytes_written += payload.get_data_length();
    stats_.latency_ps.add(response_ps - request_ps);
    if (recorder_) recorder_({payload, request_ps, response_ps});
}

void Monitor::nb_response(const tlm_generic_payload& payload, const sc_time& delay) {
    const auto it = begun_.find(&payload);
    if (it == begun_.end()) return; // not our business: that is the checker's
    const std::uint64_t request_ps = it->second;
    begun_.erase(it);
    response(payload, request_ps, delay);
}

tlm_sync_enum Monitor::nb_transport_fw(tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
    const bool request = phase == tlm::BEGIN_REQ;
    if (request) {
        begun_[&payload] = effective_ps(delay);
        request_seen();
    }
    const tlm_sync_enum status = below->nb_transport_fw(payload, phase, delay);
    if (!request) return status;
    if (status == tlm::TLM_ACCEPTED) ++stats_.deferred;
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP))
        nb_response(payload, delay);
    return status;
}

tlm_sync_enum Monitor::nb_transport_bw(tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::BEGIN_RESP) nb_response(payload, delay); // before the call: the initiator may free it
    return above->nb_transport_bw(payload, phase, delay);
}

void Monitor::b_transport(tlm_generic_payload& payload, sc_time& delay) {
    const std::uint64_t request_ps = effective_ps(delay);
    {
        const struct Inside {
            std::uint64_t& calls;
            ~Inside() { --calls; } // also when the caller is killed or reset within the call
        } inside{++blocking_};
        request_seen();
        below->b_transport(payload, delay);
    }
    response(payload, request_ps, delay);
}

bool Monitor::get_direct_mem_ptr(tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    return below->get_direct_mem_ptr(payload, dmi);
}

unsigned int Monitor::transport_dbg(tlm_generic_payload& payload) { return below->transport_dbg(payload); }

void Monitor::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
    above->invalidate_direct_mem_ptr(first, last);
}

} // namespace numavp
