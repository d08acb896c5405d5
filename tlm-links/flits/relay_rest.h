/// Whether a relay of flits needs no edge: what a clock asks that stops while nothing is under way.
#pragma once

#include "rtl/cxs_pins.h"

namespace numavp {

class RelayRest {
  public:
    /// To be called at each edge with the wires as they were driven at the edge before.
    void edge(const rtl::CxsWires& above, const rtl::CxsWires& below) {
        const bool active = above.tx.activereq || above.rx.activeack || below.tx.activereq || below.rx.activeack;
        quiet_ = active ? 0 : quiet_ + (at_rest() ? 0 : 1);
    }
    /// True if no link was active at two edges in a row. After one, the relay may hold flits that came while its lower
    /// side was let go: it asks for that side at the next edge, which the second shows.
    bool at_rest() const { return quiet_ == kEdges; }

  private:
    static constexpr unsigned kEdges = 2;
    unsigned quiet_ = kEdges;
};

} // namespace numavp
