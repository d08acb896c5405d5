/// Converts units of configurations to those of modules.
#pragma once

#include <cmath>
#include <cstdint>

namespace numavp {

inline std::uint64_t bytes_per_s(double gbps) { return static_cast<std::uint64_t>(std::llround(gbps * 1e9)); }

/// Bandwidth in bytes per second from bytes per cycle of a clock.
inline std::uint64_t bytes_per_s(unsigned bytes_per_cycle, std::uint64_t khz) { return bytes_per_cycle * khz * 1000; }

/// The smallest number of whole cycles that is at least `ns` long.
inline std::uint64_t cycles_of(double ns, std::uint64_t khz) {
    return static_cast<std::uint64_t>(std::ceil(ns * static_cast<double>(khz) / 1e6 - 1e-9));
}

} // namespace numavp
