/// The random numbers: the same everywhere, uniform, and independent from stream to stream.
#include <array>
#include <cmath>
#include <cstdint>
#include <set>

#include <gtest/gtest.h>

#include "base/values/rng.h"

namespace numavp {
namespace {

/// Results of every released version depend on these numbers.
TEST(Rng, TheNumbersNeverChange) {
    Rng rng(1, 2);
    EXPECT_EQ(rng.next(), 7314065523224857447ULL);
    EXPECT_EQ(rng.next(), 3795496960639862959ULL);
    EXPECT_EQ(rng.below(1000), 920ULL);
    EXPECT_EQ(Rng(0).at(0), 1827006018942398502ULL);
    EXPECT_EQ(Rng(~0ULL, ~0ULL).at(~0ULL), 6105770151308656993ULL);
}

TEST(Rng, MayBeReadInAnyOrder) {
    Rng rng(7, 3);
    for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(rng.next(), Rng(7, 3).at(i));
}

TEST(Rng, StreamsAndForksDiffer) {
    std::set<std::uint64_t> seen;
    std::size_t drawn = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        for (std::uint64_t stream = 0; stream < 8; ++stream) {
            Rng rng(seed, stream);
            Rng fork = rng.fork(stream);
            for (int i = 0; i < 64; ++i) seen.insert({rng.next(), fork.next()});
            drawn += 128;
        }
    }
    EXPECT_EQ(seen.size(), drawn);
    Rng drawn_from(1);
    drawn_from.next();
    EXPECT_EQ(drawn_from.fork(5).next(), Rng(1).fork(5).next());
}

TEST(Rng, BelowStaysBelow) {
    Rng rng(3);
    for (const std::uint64_t n :
         {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, (std::uint64_t{1} << 63) + 1, ~std::uint64_t{0}}) {
        for (int i = 0; i < 1000; ++i) ASSERT_LT(rng.below(n), n);
    }
}

/// Chi-square of `counts` against equal shares, in standard deviations from its mean.
template <std::size_t N> double deviation(const std::array<std::uint64_t, N>& counts) {
    double total = 0;
    for (const std::uint64_t c : counts) total += static_cast<double>(c);
    const double expected = total / N;
    double chi = 0;
    for (const std::uint64_t c : counts) chi += std::pow(static_cast<double>(c) - expected, 2) / expected;
    return (chi - (N - 1)) / std::sqrt(2.0 * (N - 1));
}

TEST(Rng, IsUniform) {
    std::array<std::uint64_t, 96> below{};
    std::array<std::uint64_t, 100> uniform{};
    std::array<std::uint64_t, 64> bits{};
    Rng rng(11);
    for (int i = 0; i < 400'000; ++i) {
        ++below.at(rng.below(96));
        const double u = rng.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        ++uniform.at(static_cast<std::size_t>(u * 100));
        const std::uint64_t x = rng.next();
        for (std::size_t b = 0; b < 64; ++b) bits.at(b) += (x >> b) & 1;
    }
    EXPECT_LT(std::abs(deviation(below)), 4.0);
    EXPECT_LT(std::abs(deviation(uniform)), 4.0);
    for (const std::uint64_t ones : bits) EXPECT_NEAR(static_cast<double>(ones), 200'000, 5 * std::sqrt(100'000));
}

TEST(Rng, FirstNumbersOfNeighbouringStreamsAreUncorrelated) {
    std::array<std::uint64_t, 256> pairs{};
    for (std::uint64_t stream = 0; stream < 200'000; ++stream)
        ++pairs.at((Rng(1, stream).at(0) >> 60) * 16 + (Rng(1, stream + 1).at(0) >> 60));
    EXPECT_LT(std::abs(deviation(pairs)), 4.0);
}

TEST(Rng, ChanceIsExactAtItsEnds) {
    Rng rng(5);
    for (int i = 0; i < 100; ++i) {
        EXPECT_FALSE(rng.chance(0, 7));
        EXPECT_TRUE(rng.chance(7, 7));
    }
}

} // namespace
} // namespace numavp
