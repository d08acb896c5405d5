/// A pass-through module that counts the transactions of a wire and measures their latency.
///
/// A request's latency runs from its BEGIN_REQ to its response, in annotated time. Works on any base-protocol wire; a
/// blocking call counts as a request and its response.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include <tlm>

#include "base/stats/histogram.h"

namespace numavp {

/// Counts of a monitor since the begin of the simulation.
struct WireStats {
    std::uint64_t requests = 0;
    std::uint64_t deferred = 0; ///< requests that were answered TLM_ACCEPTED: no room at once
    std::uint64_t responses = 0;
    std::uint64_t errors = 0; ///< responses whose status is not OK
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t in_flight_max = 0;
    Histogram latency_ps;
};

class Monitor final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, public tlm::tlm_bw_transport_if<> {
  public:
    /// A transaction whose response has passed the monitor; the payload is valid only during the call.
    struct Record {
        const tlm::tlm_generic_payload& payload;
        std::uint64_t request_ps;
        std::uint64_t response_ps;
    };
    using Recorder = std::function<void(const Record&)>;

    explicit Monitor(sc_core::sc_module_name name);

    tlm::tlm_target_socket<> above;
    tlm::tlm_initiator_socket<> below;

    const WireStats& stats() const { return stats_; }
    std::uint64_t in_flight() const { return begun_.size() + blocking_; }
    void set_recorder(Recorder recorder) { recorder_ = std::move(recorder); }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

  private:
    void request_seen();
    void response(const tlm::tlm_generic_payload& payload, std::uint64_t request_ps, const sc_core::sc_time& delay);
    void nb_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

    WireStats stats_;
    Recorder recorder_;
    std::unordered_map<const tlm::tlm_generic_payload*, std::uint64_t> begun_; ///< annotated time of BEGIN_REQ
    std::uint64_t blocking_ = 0;                                               ///< calls of b_transport inside
};

} // namespace numavp
