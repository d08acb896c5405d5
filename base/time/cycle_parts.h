/// A point of time between clock edges, for rates that are no whole number of cycles.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/values/types.h"

namespace numavp {

/// When something is free again that takes so many cycles, whole or not, for each use.
class CycleParts {
  public:
    /// Not yet free at the edge `now`.
    bool after(Cycle now) const { return at_ > now * kParts; }
    /// The first edge at which it is free.
    Cycle edge() const { return (at_ + kParts - 1) / kParts; }
    /// Takes it at the edge `now`, at which it is free. The part of a cycle for which the use had to wait for its edge
    /// is not lost, so that the mean rate is exact.
    void take(Cycle now, double cycles) {
        if (at_ + kParts <= now * kParts) at_ = now * kParts;
        at_ += static_cast<std::uint64_t>(std::llround(cycles * kParts));
    }

  private:
    static constexpr std::uint64_t kParts = 1024;
    std::uint64_t at_ = 0; ///< in parts of a cycle
};

} // namespace numavp
