/// Set of inputs that have work, searched round robin.
#pragma once

#include <cstdint>
#include <vector>

namespace numavp {

class TurnSet {
  public:
    explicit TurnSet(unsigned inputs) : words_((inputs + 63) / 64, 0) {}
    void add(unsigned input) { words_[input >> 6] |= 1ULL << (input & 63); }
    void remove(unsigned input) { words_[input >> 6] &= ~(1ULL << (input & 63)); }
    bool empty() const {
        for (const std::uint64_t word : words_)
            if (word != 0) return false;
        return true;
    }
    /// The first member from `turn` on, wrapping to 0; the set must not be empty.
    unsigned next(unsigned turn) const {
        unsigned at = turn >> 6;
        std::uint64_t word = words_[at] & (~0ULL << (turn & 63));
        while (word == 0) {
            at = at + 1 < words_.size() ? at + 1 : 0;
            word = words_[at];
        }
        return at * 64 + static_cast<unsigned>(__builtin_ctzll(word));
    }

  private:
    std::vector<std::uint64_t> words_;
};

} // namespace numavp
