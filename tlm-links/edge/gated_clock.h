/// A clock with edges only on request: it notifies a method of a module at those edges of a domain that were asked for.
#pragma once

#include <algorithm>

#include <systemc>

#include "tlm-links/edge/edge_clock.h"

namespace numavp {

class GatedClock {
  public:
    explicit GatedClock(const ClockDomain& domain) : domain_(domain) {}

    /// Event to which the method must be sensitive; the method must call `begin()` first.
    const sc_core::sc_event& event() const { return event_; }
    /// Begins an edge; returns its time in ps.
    std::uint64_t begin() {
        edge_ = asked_;
        asked_ = kNever;
        ++edges_;
        return domain_.edge_ps(edge_);
    }
    /// Asks for the edge after this one; to be called in the method only.
    void run_on() { ask(edge_ + 1); }
    /// Asks for the first edge after `ps` and after now; may be called from any process. If an earlier edge was asked
    /// for already only that one comes: the method then finds nothing due and must ask again.
    void run_after(std::uint64_t ps) { ask(edge_at_or_after(domain_, std::max<std::uint64_t>(ps, sc_now_ps()) + 1)); }
    /// Number of edges so far.
    std::uint64_t edges() const { return edges_; }

  private:
    void ask(Cycle edge) {
        if (edge >= asked_) return;
        asked_ = edge;
        event_.cancel();
        event_.notify(sc_core::sc_time::from_value(domain_.edge_ps(edge) - sc_now_ps()));
    }

    const ClockDomain& domain_;
    sc_core::sc_event event_;
    Cycle edge_ = 0;
    Cycle asked_ = kNever;
    std::uint64_t edges_ = 0;
};

} // namespace numavp
