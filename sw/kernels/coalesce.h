/// From a warp's memory instruction to the cache lines that it touches.
///
/// Plain C++, on the SM's hot path. The lines come in the order in which lanes first touch them, each
/// once, with the bytes meant. An access that straddles two lines touches both.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "sw/kernels/workload.h"

namespace numavp {

/// What a warp instruction wants of one line.
struct LineAccess {
    std::uint64_t line_address = 0; ///< virtual byte address of the line's first byte
    ByteMask mask;                  ///< bytes of the line that some active lane accesses
};

/// Most lines that one instruction can touch: every lane a line of its own, straddling.
inline constexpr unsigned kMaxLinesPerInst = 2 * kWarpLanes;

/// Fills `out` with the lines of a load, store, atomic or reduce; returns how many (0 if no lane is active).
unsigned coalesce(const Inst& inst, LineAccess out[kMaxLinesPerInst]);

} // namespace numavp
