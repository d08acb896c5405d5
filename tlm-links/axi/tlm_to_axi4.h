/// TLM-2.0 base protocol above, AXI4 pins below: puts RTL memory behind a port of the platform or any TLM initiator.
///
/// Above, a full target: nb_transport with four phases, b_transport, any length and alignment, byte enables, streaming,
/// debug access if the subordinate has a backdoor. A request is ended at once while there is a place for it, else when
/// a place is free again; BEGIN_RESP comes when its last answer has arrived. Back-pressure is passed on: while
/// responses wait for END_RESP, bready and rready go low. Below, one edge per clock cycle, and none while no access is
/// open: the subordinate's clock is gated, so that an idle bridge costs nothing and RTL that counts cycles stands
/// still. A call at the time of an edge takes part in the next one, so that the order of processes does not matter.
/// Timing: the address is on the pins from the first edge after a request, a handshake takes the edges that the
/// subordinate needs, and the response begins at the edge of the last one: one cycle between request and pins, none
/// back. Throughput: an address and a response a cycle, so lines of 128 bytes, one BEGIN_REQ a cycle, fill all beats
/// both ways at once. Not done: DMI, exclusive and atomic access, narrow beats, low power and QoS pins.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/time/clockwork.h"
#include "tlm-links/axi/axi4_manager.h"
#include "tlm-links/edge/bridge_target.h"

namespace numavp {

struct TlmToAxi4Config {
    Axi4ManagerConfig manager;
    AddressRange
        range; ///< addresses outside are answered TLM_ADDRESS_ERROR_RESPONSE; the pins' address is relative to it
    unsigned requests = 4; ///< that wait for the manager; the next one waits for its END_REQ
};

class TlmToAxi4 final : public BridgeTarget {
  public:
    SC_HAS_PROCESS(TlmToAxi4);
    /// Called with the settled pins before each edge, for monitors.
    using Observer = std::function<void(const rtl::AxiManagerPins&, const rtl::AxiSubordinatePins&)>;

    TlmToAxi4(sc_core::sc_module_name name, const TlmToAxi4Config& config, const ClockDomain& clock,
              rtl::AxiSubordinate& subordinate);
    ~TlmToAxi4() override;

    void observe(Observer observer) { observer_ = std::move(observer); }
    /// Edges so far, that is, cycles in which the subordinate was simulated.
    std::uint64_t cycles() const { return cycles_; }
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

  private:
    struct Job; ///< a call and its access on the pins

    std::unique_ptr<Call> make_call() override;
    void wake_after(std::uint64_t ps) override { tick_after(ps); }
    bool takes_at_once(const Call& call) override;
    Call* take_answer() override;
    bool any_answer() const override { return manager_.any_finished(); }

    void tick() { subordinate_.at_edge(cycle_); }
    void cycle();
    void tick_after(std::uint64_t ps);
    void tick_at(Cycle edge);
    void admit(std::uint64_t now_ps);
    void start(Job& job);
    void end_waiting_request();

    TlmToAxi4Config config_;
    const ClockDomain& clock_;
    rtl::AxiSubordinate& subordinate_;
    Axi4Manager manager_;
    Observer observer_;
    const std::function<void()> cycle_{[this] { cycle(); }};
    std::uint64_t cycles_ = 0;
    sc_core::sc_event tick_;
    Cycle last_edge_ = 0; ///< of the last tick
    std::uint64_t last_tick_ps_ = kNever;
    Cycle next_edge_ = kNever; ///< of the next one, kNever if there is none

    unsigned requests_ = 0;                       ///< that have arrived, not blocking
    unsigned freed_ = 0;                          ///< of these at the last tick
    tlm::tlm_generic_payload* unended_ = nullptr; ///< the last of these, if it waits for its END_REQ
    std::uint64_t unended_since_ps_ = 0;
};

} // namespace numavp
