/// Distances from one bit error of a line to the next, drawn geometrically: bits are wrong independently of each other,
/// all with the same probability. Plain C++.
///
/// A line that carries 10^13 bits between two errors cannot draw each bit, so it draws how many good bits come next.
/// The binary digits of a geometric number are independent: digit i is 1 with probability q / (1 + q), where q is the
/// probability of 2^i good bits. Drawing them one by one needs no logarithm, whose last digit differs from library to
/// library, and is exact for any rate. Not modelled: bursts, errors of a lane that touch its neighbours, forward error
/// correction (the rate is what it leaves).
#pragma once

#include <array>
#include <cstdint>

#include "base/values/rng.h"

namespace numavp {

class ErrorDistance {
  public:
    static constexpr unsigned kDigits = 63; ///< distances are below 2^63 bits
    /// `rate`: probability that a bit is wrong, above 0 and at most 1/2. `draws` is the line's own stream.
    ErrorDistance(double rate, Rng draws);

    /// Number of good bits before the next error: the next draw.
    std::uint64_t draw();
    /// True if one of the next `bits` bits on the line is wrong. Errors behind the first of them do not count: a packet
    /// is wrong once.
    bool hits(std::uint64_t bits) {
        if (bits <= ahead_) {
            ahead_ -= bits;
            return false;
        }
        ahead_ = draw(); // the line has no memory: what follows the packet is as far from an error as ever
        return true;
    }

  private:
    std::array<std::uint64_t, kDigits> ones_; ///< of 2^64 numbers those that make digit i a 1
    Rng draws_;
    std::uint64_t ahead_; ///< good bits that come next
};

} // namespace numavp
