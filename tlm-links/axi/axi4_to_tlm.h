/// AXI4 pins above, TLM-2.0 base protocol below: lets an RTL manager drive a port of the platform or any TLM target.
///
/// Below, a full initiator: one generic payload per burst, with byte enables where strobes are missing. One request
/// phase is open at a time; several fit in a cycle if the target ends them at once. It accepts every answer that the
/// standard lets a target give, early or annotated, and ends a response in its call (TLM_COMPLETED): the burst's place
/// holds it for the pins. If the target delays END_REQ or answers, places fill up and arready and awready go low
/// (back-pressure).
/// Above, one edge per clock cycle, and none while the manager is idle and no burst is open: the manager's clock is
/// gated. `wake()` starts the clock again when the manager gets work from outside.
/// Timing: a request begins at the edge of its burst's last handshake; an answer is on the pins from the first edge
/// after its response. A call at the time of an edge takes part in the next one, so that the order of processes does
/// not matter. Ordering: see axi4_subordinate.h. Not done: DMI, debug access, exclusive access.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <tlm>

#include "base/time/clockwork.h"
#include "tlm-links/axi/axi4_subordinate.h"
#include "tlm-links/edge/gated_clock.h"

namespace numavp {

struct Axi4ToTlmConfig {
    Axi4SubordinateConfig subordinate;
    std::uint64_t base = 0; ///< address at the target of address 0 of the pins
};

class Axi4ToTlm final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
  public:
    SC_HAS_PROCESS(Axi4ToTlm);
    /// Called with the settled pins before each edge, for monitors.
    using Observer = std::function<void(const rtl::AxiManagerPins&, const rtl::AxiSubordinatePins&)>;

    Axi4ToTlm(sc_core::sc_module_name name, const Axi4ToTlmConfig& config, const ClockDomain& clock,
              rtl::AxiManager& manager);
    ~Axi4ToTlm() override;

    tlm::tlm_initiator_socket<> socket;
    void observe(Observer observer) { observer_ = std::move(observer); }
    /// Call it when the manager may have something to send: it is clocked from the next edge on until it is idle again.
    void wake();
    /// Edges so far, that is, cycles in which the manager was simulated.
    std::uint64_t cycles() const { return clock_.edges(); }
    bool empty() const { return subordinate_.idle(); }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  private:
    class Carrier; ///< the payload of a place
    struct Response {
        std::uint64_t ps; ///< its annotated time
        Carrier* carrier;
    };

    void start_of_simulation() override;
    void tick() { manager_.at_edge(cycle_); }
    void cycle();
    void take_responses(std::uint64_t now_ps);
    void send_requests(std::uint64_t now_ps);
    void send(Axi4Burst& burst);
    void end_response(Carrier& carrier, sc_core::sc_time delay);
    void response_begun(Carrier& carrier, const sc_core::sc_time& delay);

    std::uint64_t base_;
    rtl::AxiManager& manager_;
    Axi4Subordinate subordinate_;
    Observer observer_;
    const std::function<void()> cycle_{[this] { cycle(); }};
    GatedClock clock_;
    std::vector<std::unique_ptr<Carrier>> carriers_; ///< by place
    const tlm::tlm_generic_payload* requesting_ = nullptr;
    std::uint64_t request_free_ps_ = 0; ///< the request phase is free after it
    std::vector<Response> responses_;   ///< that the pins have not seen
};

} // namespace numavp
