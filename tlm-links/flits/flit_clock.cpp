#include "tlm-links/flits/flit_clock.h"

#include <algorithm>

#include "tlm-links/edge/edge_clock.h"

namespace numavp {

FlitClock::FlitClock(sc_core::sc_module_name name, const ClockDomain& clock) : sc_module(name), clock_(clock) {
    SC_METHOD(tick);
    sensitive << tick_;
    dont_initialize();
}

void FlitClock::tick_after(std::uint64_t ps) {
    const std::uint64_t at = clock_.edge_ps(edge_at_or_after(clock_, ps + 1));
    if (at >= next_tick_ps_) return;
    next_tick_ps_ = at;
    tick_.cancel();
    tick_.notify(sc_core::sc_time::from_value(at - sc_now_ps()));
}

void FlitClock::tick() {
    const std::uint64_t now = sc_now_ps();
    next_tick_ps_ = kNever;
    ++cycles_;
    for (const auto& observe : observers_) observe();
    for (FlitClocked* clocked : clocked_) clocked->edge(now);
    for (FlitClocked* clocked : clocked_) clocked->drive();
    const auto idle = [](const FlitClocked* clocked) { return clocked->idle(); };
    if (!std::all_of(clocked_.begin(), clocked_.end(), idle)) tick_after(now);
}

} // namespace numavp
