/// A clock that runs only while somebody asks for its next edge: a method of a module, called at edges of a domain.
#pragma once

#include <algorithm>

#include <systemc>

#include "tlm-links/edge_clock.h"

namespace numavp {

class GatedClock {
  public:
    explicit GatedClock(const ClockDomain& domain) : domain_(domain) {}

    /// What the method is sensitive to; the method calls `begin()` first.
    const sc_core::sc_event& event() const { return event_; }
    /// The time of this edge, in ps.
    std::uint64_t begin() {
        edge_ = asked_;
        asked_ = kNever;
        ++edges_;
        return domain_.edge_ps(edge_);
    }
    /// Asked for in the method: the edge after this one.
    void run_on() { ask(edge_ + 1); }
    /// Asked for from anywhere: the first edge after `ps` and after now. An earlier one may be asked for already: the
    /// method then sees what is not yet due, and asks again.
    void run_after(std::uint64_t ps) { ask(edge_at_or_after(domain_, std::max<std::uint64_t>(ps, sc_now_ps()) + 1)); }
    /// Edges that there were.
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
