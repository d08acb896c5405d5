/// The clock of links with credited flits: one edge for all modules on it, as long as one of them needs edges.
///
/// An edge has two passes: all modules act on the values that the wires had before it, then all drive their wires; so
/// their order does not matter. While no module needs edges there are none: an idle link costs nothing, its RTL stops.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <systemc>

#include "base/time/clockwork.h"
#include "rtl/cxs_pins.h"
#include "tlm-links/flits/relay_rest.h"

namespace numavp {

/// A module that is clocked by a FlitClock.
class FlitClocked {
  public:
    virtual ~FlitClocked() = default;
    /// First pass of a rising edge at `now_ps`; wires still have the values driven after the edge before.
    virtual void edge(std::uint64_t now_ps) = 0;
    /// Second pass: drives the module's output wires.
    virtual void drive() = 0;
    /// True if the module needs no edge unless it asks for one (tick_after) or its wires change.
    virtual bool idle() const = 0;
};

class FlitClock final : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(FlitClock);
    FlitClock(sc_core::sc_module_name name, const ClockDomain& clock);

    void add(FlitClocked& clocked) { clocked_.push_back(&clocked); }
    /// Adds a function that is called before each edge, when wires are settled: for monitors.
    void observe(std::function<void()> observer) { observers_.push_back(std::move(observer)); }
    /// Asks for an edge after `ps`.
    void tick_after(std::uint64_t ps);
    /// Number of edges so far.
    std::uint64_t cycles() const { return cycles_; }

  private:
    void tick();

    const ClockDomain& clock_;
    std::vector<FlitClocked*> clocked_;
    std::vector<std::function<void()>> observers_;
    sc_core::sc_event tick_;
    std::uint64_t next_tick_ps_ = kNever;
    std::uint64_t cycles_ = 0;
};

/// A relay between two sets of wires.
class FlitRelayStage final : public FlitClocked {
  public:
    FlitRelayStage(rtl::CxsRelay& relay, rtl::CxsWires& above, rtl::CxsWires& below)
        : relay_(relay), above_(above), below_(below) {}
    void edge(std::uint64_t) override {
        rest_.edge(above_, below_);
        relay_.settle(above_.tx, below_.rx);
        relay_.edge();
    }
    void drive() override {
        above_.rx = relay_.to_above();
        below_.tx = relay_.to_below();
    }
    bool idle() const override { return rest_.at_rest(); }

  private:
    rtl::CxsRelay& relay_;
    RelayRest rest_;
    rtl::CxsWires& above_;
    rtl::CxsWires& below_;
};

} // namespace numavp
