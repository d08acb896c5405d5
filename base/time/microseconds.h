/// Times of configurations, in microseconds, as edges of a clock.
#pragma once

#include <cmath>
#include <cstdint>

namespace numavp {

/// Edges of a clock of `khz` in `us` microseconds (0 to 10^9), to the nearest.
inline std::uint64_t edges_in_us(double us, std::uint64_t khz) {
    return static_cast<std::uint64_t>(std::llround(us * static_cast<double>(khz) / 1e3));
}

} // namespace numavp
