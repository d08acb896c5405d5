/// The edges of a clock domain for waveforms.
#pragma once

#include "base/waves/waves.h"
#include "tlm-links/edge/edge_clock.h"

namespace numavp {

/// Clock of signals that change at the edges of `clock`, which must outlive the result.
inline WaveClock wave_clock(const ClockDomain& clock) {
    return {sc_now_ps, [&clock] { return clock.edge_ps(edge_at_or_after(clock, sc_now_ps()) + 1); }};
}

} // namespace numavp
