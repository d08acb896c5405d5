/// Units of configurations to those of modules.
#pragma once

#include <cmath>
#include <cstdint>

namespace numavp {

inline std::uint64_t bytes_per_s(double gbps) { return static_cast<std::uint64_t>(std::llround(gbps * 1e9)); }

/// Bytes a second of so many bytes a cycle of a clock.
inline std::uint64_t bytes_per_s(unsigned bytes_per_cycle, std::uint64_t khz) { return bytes_per_cycle * khz * 1000; }

/// Whole cycles of a clock that are at least as long.
inline std::uint64_t cycles_of(double ns, std::uint64_t khz) {
    return static_cast<std::uint64_t>(std::ceil(ns * static_cast<double>(khz) / 1e6 - 1e-9));
}

} // namespace numavp
