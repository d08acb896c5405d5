/// Clock edges for calls from outside the clockwork, whose delays are annotated.
#pragma once

#include <algorithm>

#include <systemc>

#include "base/time/clockwork.h"

namespace numavp {

/// First edge that is not before `ps`.
inline Cycle edge_at_or_after(const ClockDomain& clock, std::uint64_t ps) {
    return ps == 0 ? 0 : clock.edge_by(ps - 1) + 1;
}

/// First edge at which a call made now with annotation `delay` can be acted on. A call for exactly the time of an edge
/// takes part in the next one, whether or not that edge has been executed yet.
inline Cycle edge_for_annotated(const ClockDomain& clock, const sc_core::sc_time& delay) {
    const std::uint64_t ps = sc_now_ps() + delay.value();
    return std::max(edge_at_or_after(clock, ps), clock.next_usable_edge());
}

} // namespace numavp
