/// Random numbers that are the same with every compiler and library, and that can be drawn in any order.
///
/// Counter-based: number i of a stream is a hash of (seed, stream, i), so that each thread block, page or lane can have
/// its own stream, without state to keep and without a global generator. The standard distributions are not used
/// anywhere, because they differ from library to library. Not for cryptography.
#pragma once

#include <cstdint>

namespace numavp {

/// Spreads the bits of `x`: a bijection in which each input bit flips each output bit with a probability near 1/2.
constexpr std::uint64_t mix64(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL; // Stafford's constants ("variant 13")
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// One stream of numbers. A copy continues independently from the same point.
class Rng {
  public:
    constexpr explicit Rng(std::uint64_t seed, std::uint64_t stream = 0)
        : key_(mix64(mix64(seed + kStep) + (stream + 1) * kStep)) {}

    /// Number `index` of this stream; neither depends on nor changes which numbers next() has drawn.
    constexpr std::uint64_t at(std::uint64_t index) const { return mix64(mix64(key_ + index * kStep) ^ key_); }

    /// The next number: 64 uniform bits.
    constexpr std::uint64_t next() { return at(index_++); }

    /// Uniform in [0, n), without bias; n > 0.
    constexpr std::uint64_t below(std::uint64_t n) {
        // Of the 2^64 numbers, the lowest 2^64 mod n are too many to divide evenly.
        const std::uint64_t surplus = (0 - n) % n;
        std::uint64_t x = next();
        while (x < surplus) x = next();
        return x % n;
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    /// True with probability `numerator / denominator`, exactly.
    constexpr bool chance(std::uint64_t numerator, std::uint64_t denominator) { return below(denominator) < numerator; }

    /// A new stream, numbered `stream`: depends on this one's seed and stream, not on what was drawn from it.
    constexpr Rng fork(std::uint64_t stream) const { return Rng(key_, stream); }

  private:
    static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL; // odd: 2^64 over the golden ratio

    std::uint64_t key_;
    std::uint64_t index_ = 0;
};

} // namespace numavp
