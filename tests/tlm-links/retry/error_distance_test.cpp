/// Distances between errors against the geometric distribution, at rates at which nobody could draw each bit.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tlm-links/retry/error_distance.h"
#include "tlm-links/retry/error_window.h"

namespace numavp::test {
namespace {

class Rates : public ::testing::TestWithParam<double> {};

/// Mean, variance, the share in each of 20 equally likely ranges, and the correlation of a draw with the next one.
TEST_P(Rates, DistancesAreGeometric) {
    const double rate = GetParam();
    constexpr unsigned kDraws = 1000000, kRanges = 20;
    std::vector<double> edges; // distances below which a share of i / 20 lies
    for (unsigned i = 1; i < kRanges; ++i)
        edges.push_back(std::log1p(-static_cast<double>(i) / kRanges) / std::log1p(-rate));
    ErrorDistance errors(rate, Rng(7));
    std::vector<double> counts(kRanges, 0.0), expected(kRanges, 0.0);
    for (unsigned i = 0; i < kRanges; ++i) { // whole numbers: the ranges of a high rate are not equally likely
        const auto below = [&](unsigned range) {
            if (range == kRanges) return 1.0;
            return range == 0 ? 0.0 : -std::expm1(std::ceil(edges[range - 1]) * std::log1p(-rate));
        };
        expected[i] = kDraws * (below(i + 1) - below(i));
    }
    const double mean = (1.0 - rate) / rate, sigma = std::sqrt(1.0 - rate) / rate;
    double sum = 0, squares = 0, products = 0, last = 0;
    for (unsigned n = 0; n < kDraws; ++n) {
        const auto distance = static_cast<double>(errors.draw());
        const double off = (distance - mean) / sigma;
        sum += off;
        squares += off * off;
        products += off * last;
        last = off;
        ++counts[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), distance) - edges.begin())];
    }
    EXPECT_LT(std::abs(sum / kDraws), 3.0 / std::sqrt(kDraws));
    // The fourth central moment of a geometric number is at most 9 sigma^4 + sigma^2.
    EXPECT_LT(std::abs(squares / kDraws - 1.0), 3.0 * std::sqrt((8.0 + 1.0 / (sigma * sigma)) / kDraws));
    EXPECT_LT(std::abs(products / kDraws), 3.0 / std::sqrt(kDraws));
    double chi = 0;
    unsigned ranges = 0;
    for (unsigned i = 0; i < kRanges; ++i) {
        if (expected[i] == 0.0) {
            EXPECT_EQ(counts[i], 0.0);
            continue;
        }
        ++ranges;
        chi += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
    }
    EXPECT_LT(chi, 43.82) << "the 0.1 % bound of chi-square of 19 degrees, of " << ranges << " ranges";
}
INSTANTIATE_TEST_SUITE_P(All, Rates, ::testing::Values(1e-12, 1e-6, 1e-3, 0.3),
                         [](const auto& tested) { return "OneIn" + std::to_string(std::llround(1 / tested.param)); });

/// A packet of n bits is wrong with a probability of 1 - (1 - rate)^n, whatever was sent before it.
TEST(ErrorDistance, HitsAPacketAsOftenAsItsBitsAreWrong) {
    constexpr unsigned kPackets = 400000;
    constexpr double kRate = 1e-3;
    for (const unsigned bits : {1U, 64U, 1088U}) {
        ErrorDistance errors(kRate, Rng(3));
        double hits = 0;
        for (unsigned n = 0; n < kPackets; ++n) hits += errors.hits(bits) ? 1 : 0;
        const double wrong = -std::expm1(bits * std::log1p(-kRate));
        EXPECT_NEAR(hits, kPackets * wrong, 3 * std::sqrt(kPackets * wrong * (1 - wrong))) << bits << " bits";
    }
}

TEST(ErrorDistance, IsTheStreamsOwn) {
    ErrorDistance one(1e-6, Rng(1).fork(1)), same(1e-6, Rng(1).fork(1)), other(1e-6, Rng(1).fork(2));
    unsigned equal = 0;
    for (unsigned n = 0; n < 100; ++n) {
        const std::uint64_t drawn = one.draw();
        EXPECT_EQ(drawn, same.draw());
        equal += drawn == other.draw() ? 1 : 0;
    }
    EXPECT_LT(equal, 3U);
}

TEST(ErrorWindow, CountsErrorsWithinItsTime) {
    ErrorWindow window(3, 10);
    EXPECT_FALSE(window.add(100));
    EXPECT_FALSE(window.add(105));
    EXPECT_FALSE(window.add(111)) << "the first one was 11 cycles ago";
    EXPECT_TRUE(window.add(115)) << "105 was 10 cycles ago";
    EXPECT_FALSE(window.add(115)) << "counting begins anew";
    EXPECT_FALSE(window.add(115));
    EXPECT_TRUE(window.add(115));
    ErrorWindow never(0, 10);
    for (Cycle at = 0; at < 100; ++at) EXPECT_FALSE(never.add(at));
}

} // namespace
} // namespace numavp::test
