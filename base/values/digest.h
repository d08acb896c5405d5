/// A 64-bit digest of a sequence of integers: FNV-1a over their bytes, lowest first (Fowler, Noll, Vo).
#pragma once

#include <cstdint>

namespace numavp {

class Digest {
  public:
    void add(std::uint64_t word) {
        for (unsigned i = 0; i < 8; ++i) value_ = (value_ ^ ((word >> (8 * i)) & 0xff)) * kPrime;
    }
    std::uint64_t value() const { return value_; }

  private:
    static constexpr std::uint64_t kPrime = 0x100000001b3ULL;
    std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

} // namespace numavp
