/// Edges of clocks written down a second time, for expected times.
#pragma once

#include <cstdint>

namespace numavp::test {

/// Edge n is at n / f, rounded to the nearest ps.
struct Edges {
    std::uint64_t khz;
    std::uint64_t ps(std::uint64_t edge) const { return (edge * 2'000'000'000 / khz + 1) / 2; }
    /// The first edge later than `ps`.
    std::uint64_t after(std::uint64_t at) const {
        std::uint64_t edge = at * khz / 1'000'000'000;
        while (edge > 0 && ps(edge - 1) > at) --edge;
        while (ps(edge) <= at) ++edge;
        return edge;
    }
    /// The edge that is at `at`.
    std::uint64_t at(std::uint64_t at) const { return after(at) - 1; }
};

} // namespace numavp::test
