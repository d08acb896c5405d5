/// A set of a router's ports: a bit each of two words, for switches of up to 128 ports (NVSwitch of the fourth
/// generation has 72). Nearly all routers have at most 64, so that the second word is hardly looked at.
#pragma once

#include <array>
#include <cstdint>

namespace numavp {

class PortSet {
  public:
    static constexpr unsigned kSize = 128;

    PortSet() = default;
    static PortSet of(unsigned port) {
        PortSet set;
        set.add(port);
        return set;
    }

    bool empty() const { return (words_[0] | words_[1]) == 0; }
    bool has(unsigned port) const { return (words_[port >> 6] >> (port & 63) & 1U) != 0; }
    void add(unsigned port) { words_[port >> 6] |= bit(port); }
    void remove(unsigned port) { words_[port >> 6] &= ~bit(port); }
    /// The lowest port of a set that has one.
    unsigned first() const { return words_[0] != 0 ? lowest(words_[0]) : 64 + lowest(words_[1]); }
    /// The same, taken out.
    unsigned pop() {
        const unsigned port = first();
        if (words_[0] != 0)
            words_[0] &= words_[0] - 1;
        else
            words_[1] &= words_[1] - 1;
        return port;
    }
    /// The first port of a set at or after `turn`, else the first of all; the set is not empty.
    unsigned in_turn(unsigned turn) const {
        const std::uint64_t from = ~std::uint64_t{0} << (turn & 63);
        if (__builtin_expect(words_[1] == 0 && turn < 64, 1)) {
            const std::uint64_t later = words_[0] & from;
            return lowest(later != 0 ? later : words_[0]);
        }
        const PortSet later(turn < 64 ? words_[0] & from : 0, turn < 64 ? words_[1] : words_[1] & from);
        return later.empty() ? first() : later.first();
    }
    PortSet with(const PortSet& o) const { return {words_[0] | o.words_[0], words_[1] | o.words_[1]}; }
    PortSet without(const PortSet& o) const { return {words_[0] & ~o.words_[0], words_[1] & ~o.words_[1]}; }

  private:
    PortSet(std::uint64_t low, std::uint64_t high) : words_{low, high} {}
    static std::uint64_t bit(unsigned port) { return std::uint64_t{1} << (port & 63); }
    static unsigned lowest(std::uint64_t word) { return static_cast<unsigned>(__builtin_ctzll(word)); }

    std::array<std::uint64_t, kSize / 64> words_{};
};

} // namespace numavp
