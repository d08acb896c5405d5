/// From a warp's memory instruction to the cache lines that it touches.
///
/// Plain C++, on the SM's hot path. The lines come in the order in which lanes first touch them, each once, with a mask
/// of its accessed bytes. An access that straddles two lines touches both.
#pragma once

#include <cstdint>

#include "base/values/types.h"
#include "sw/work/workload.h"

namespace numavp {

/// The part of a warp instruction that falls into one line.
struct LineAccess {
    std::uint64_t line_address = 0; ///< virtual byte address of the line's first byte
    ByteMask mask;                  ///< bytes of the line that some active lane accesses
};

/// Most lines that one instruction can touch: each lane accesses a different pair of lines.
inline constexpr unsigned kMaxLinesPerInst = 2 * kWarpLanes;

/// Fills `out` with the lines of a load, store, atomic or reduce; returns their number (0 if no lane is active).
unsigned coalesce(const Inst& inst, LineAccess out[kMaxLinesPerInst]);

} // namespace numavp
