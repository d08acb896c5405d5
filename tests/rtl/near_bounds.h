/// Random counts for policies that compare: of every magnitude, and most of them next to the bound.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/base/rng.h"

namespace numavp {

/// Below 2^bits, with every number of bits equally likely; 0 at times.
inline std::uint64_t any_count(Rng& random, unsigned bits) {
    return random.next() & ((std::uint64_t{1} << random.below(bits + 1)) - 1);
}

/// Below 2^bits: anything, or within 2 of percent / 100 of `capacity`.
inline std::uint64_t near_bound(Rng& random, std::uint64_t capacity, unsigned percent, unsigned bits) {
    if (random.below(4) == 0) return any_count(random, bits);
    const auto bound = static_cast<std::uint64_t>(static_cast<unsigned __int128>(capacity) * percent / 100);
    const std::uint64_t above = bound + random.below(5);
    return std::min(above < 2 ? 0 : above - 2, (std::uint64_t{1} << bits) - 1);
}

} // namespace numavp
