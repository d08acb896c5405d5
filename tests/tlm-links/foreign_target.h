/// Foreign targets for tests: memories that use the base protocol in deliberately different, legal ways.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <tlm>

#include "base/values/rng.h"
#include "tlm-links/protocol/flat_memory.h"

namespace numavp::test {

/// What a target may answer to BEGIN_REQ.
enum class RequestAnswer { accepted, end_req, begin_resp, completed, any };

/// One way to be a target; times are off any clock's grid.
struct TargetStyle {
    const char* name;
    RequestAnswer answer = RequestAnswer::accepted;
    bool explicit_end_req = true; ///< of an accepted request, else BEGIN_RESP implies it
    unsigned end_req_ps = 0;      ///< up to that long after the request
    unsigned response_ps = 0;     ///< up to that long after END_REQ
    bool any_order = false;       ///< responses overtake each other
    bool annotates = false;       ///< calls early, with the rest of the delay annotated
    bool ignorable = false;       ///< sends phases of its own, hangs an extension on the payload
    bool wait_in_b_transport = true;
};

/// The whole family.
const std::vector<TargetStyle>& target_styles();

class ForeignTarget final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
  public:
    SC_HAS_PROCESS(ForeignTarget);
    ForeignTarget(sc_core::sc_module_name name, const TargetStyle& style, std::uint64_t seed);

    tlm::tlm_target_socket<> socket;
    FlatMemory memory;
    std::uint64_t size = ~0ULL; ///< addresses from here on are errors
    unsigned most_inside = 0;
    unsigned served = 0;
    bool empty() const { return inside_ == 0; }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

  private:
    using Payload = tlm::tlm_generic_payload;
    using Action = std::function<void(const sc_core::sc_time& annotation)>;

    void act();
    void plan(std::uint64_t ps, Action action);
    void plan_response(Payload& payload, std::uint64_t earliest_ps);
    void respond();
    void send_response(Payload& payload, const sc_core::sc_time& annotation);
    void end_of_response(Payload& payload, std::uint64_t at_ps);
    void perform(Payload& payload);
    RequestAnswer choose();
    std::uint64_t effective(const sc_core::sc_time& delay) const;

    TargetStyle style_;
    Rng rng_;
    std::multimap<std::uint64_t, Action> agenda_; ///< by time
    sc_core::sc_event event_;
    std::multimap<std::uint64_t, Payload*> ready_; ///< by time: responses that may be sent
    Payload* responding_ = nullptr;
    std::uint64_t response_free_ps_ = 0;
    std::uint64_t last_response_ps_ = 0;
    unsigned inside_ = 0;
};

} // namespace numavp::test
