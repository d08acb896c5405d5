/// Skewed random accesses: how many of them fall on the first elements.
#include <cmath>

#include <gtest/gtest.h>

#include "sw/loops/numbering.h"

namespace numavp::test {
namespace {

/// Share of the accesses of 20,000 items to the first tenth of 10,000 elements.
double share_of_first_tenth(std::uint32_t skew, std::uint64_t run = 1) {
    constexpr std::uint64_t kElements = 10000, kItems = 20000;
    const RandomMap map(kElements, run, 0, 7, skew);
    std::uint64_t first = 0;
    for (std::uint64_t item = 0; item < kItems; ++item) {
        const std::uint64_t element = map.element(item, 0);
        EXPECT_LT(element, kElements);
        first += element < kElements / 10 ? 1 : 0;
    }
    return static_cast<double>(first) / static_cast<double>(kItems);
}

/// A product of k + 1 uniform numbers is below x with the probability x * sum of (-ln x)^i / i! over i = 0..k.
TEST(SkewedRandom, TheFirstTenthGetsItsShare) {
    double term = 1.0, sum = 0.0;
    for (std::uint32_t skew = 0; skew <= 3; ++skew) {
        sum += term;
        term *= std::log(10.0) / (skew + 1);
        EXPECT_NEAR(share_of_first_tenth(skew), 0.1 * sum, 0.012) << skew;
    }
}

/// Threads of a run read consecutive elements, wherever the run lies.
TEST(SkewedRandom, RunsStayTogether) {
    const RandomMap map(4096, 8, 0, 7, 2);
    for (std::uint64_t item = 0; item < 4096; item += 8)
        for (std::uint64_t i = 1; i < 8; ++i) EXPECT_EQ(map.element(item + i, 0), map.element(item, 0) + i);
}

} // namespace
} // namespace numavp::test
