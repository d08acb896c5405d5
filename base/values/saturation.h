/// Condition under which a bandwidth counts as saturated: in integers, so that RTL and firmware decide alike.
#pragma once

#include <cstdint>

namespace numavp {

/// used / capacity >= percent / 100; something without capacity is never saturated. Arguments below 2^57.
constexpr bool saturated(std::uint64_t used, std::uint64_t capacity, unsigned percent) {
    return capacity != 0 && used * 100 >= capacity * percent;
}

} // namespace numavp
