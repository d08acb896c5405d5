#include "tlm-links/retry/error_distance.h"

#include <cmath>

#include "base/values/error.h"

namespace numavp {

ErrorDistance::ErrorDistance(double rate, Rng draws) : draws_(draws), ahead_(0) {
    if (!(rate > 0.0) || rate > 0.5) throw ModelError("a bit error rate is above 0, and at most 1/2");
    double wrong = rate; // probability that 2^i bits are not all good: precise for any rate, as 1 - q is not
    for (std::uint64_t& ones : ones_) {
        ones = static_cast<std::uint64_t>(std::ldexp((1.0 - wrong) / (2.0 - wrong), 64));
        wrong *= 2.0 - wrong;
    }
    ahead_ = draw();
}

std::uint64_t ErrorDistance::draw() {
    std::uint64_t distance = 0;
    for (unsigned digit = 0; digit < kDigits; ++digit)
        if (ones_[digit] != 0 && draws_.next() < ones_[digit]) distance |= std::uint64_t{1} << digit;
    return distance;
}

} // namespace numavp
