/// Small shared vocabulary: cycles, identities of the parts of a system, byte masks of a line.
#pragma once

#include <cstdint>
#include <limits>

namespace numavp {

/// Number of a clock edge in its own clock domain; edge 0 is at time 0.
using Cycle = std::uint64_t;

inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

/// Size of a cache line in bytes (Table 1 of the NUMA-aware paper and of NUBA).
inline constexpr unsigned kLineBytes = 128;
inline constexpr unsigned kLineShift = 7;
/// Size of a sector in bytes: the part of a line that a sectored cache fetches, and what partial packets are cut to.
inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kLineSectors = kLineBytes / kSectorBytes;
/// Lanes (threads) of a warp.
inline constexpr unsigned kWarpLanes = 32;
/// Most sockets that a system may have. A choice.
inline constexpr unsigned kMaxSockets = 4096;
/// Most sockets at one switch; above it traffic is counted by sender, since pairs grow with the square. A choice.
inline constexpr unsigned kMaxPairedSockets = 256;

/// An index that can't be mistaken for another kind of index.
template <class Tag> struct Id {
    std::uint16_t value = 0;
    constexpr Id() = default;
    template <class I> constexpr explicit Id(I v) : value(static_cast<std::uint16_t>(v)) {}
    constexpr bool operator==(Id o) const { return value == o.value; }
    constexpr bool operator!=(Id o) const { return value != o.value; }
    constexpr bool operator<(Id o) const { return value < o.value; }
};
/// A socket: the package that asks for a line, or that a line has as its home.
using SocketId = Id<struct SocketTag>;
/// A memory that holds pages, as physical addresses number them: that of one socket, or of several that share it.
using MemoryId = Id<struct MemoryTag>;
/// Number of a socket's memory where each has one of its own (AddressMap::homes is empty); the host comes after them.
constexpr MemoryId own_memory(SocketId socket) { return MemoryId(socket.value); }

/// Which bytes of a 128-byte line are meant; bit i is byte i.
struct ByteMask {
    std::uint64_t lo = 0;
    std::uint64_t hi = 0;

    static constexpr ByteMask full() { return {~0ULL, ~0ULL}; }
    /// Bytes [first, first + count) of the line; first + count <= 128.
    static constexpr ByteMask range(unsigned first, unsigned count) {
        ByteMask m;
        if (count == 0) return m;
        const unsigned last = first + count; // one past
        if (first < 64) {
            const unsigned end = last < 64 ? last : 64;
            const unsigned n = end - first;
            m.lo = (n == 64 ? ~0ULL : ((1ULL << n) - 1)) << first;
        }
        if (last > 64) {
            const unsigned begin = first > 64 ? first - 64 : 0;
            const unsigned n = last - 64 - begin;
            m.hi = (n == 64 ? ~0ULL : ((1ULL << n) - 1)) << begin;
        }
        return m;
    }
    constexpr bool any() const { return (lo | hi) != 0; }
    constexpr bool all() const { return (lo & hi) == ~0ULL; }
    constexpr bool test(unsigned i) const { return ((i < 64 ? lo >> i : hi >> (i - 64)) & 1) != 0; }
    constexpr bool covers(ByteMask m) const { return (m.lo & ~lo) == 0 && (m.hi & ~hi) == 0; }
    constexpr ByteMask operator|(ByteMask o) const { return {lo | o.lo, hi | o.hi}; }
    constexpr ByteMask operator&(ByteMask o) const { return {lo & o.lo, hi & o.hi}; }
    constexpr ByteMask operator~() const { return {~lo, ~hi}; }
    ByteMask& operator|=(ByteMask o) {
        lo |= o.lo;
        hi |= o.hi;
        return *this;
    }
    constexpr bool operator==(ByteMask o) const { return lo == o.lo && hi == o.hi; }
    unsigned count() const { return static_cast<unsigned>(__builtin_popcountll(lo) + __builtin_popcountll(hi)); }
    /// Number of 32-byte sectors that have a byte in the mask.
    constexpr unsigned sectors() const {
        return unsigned((lo & 0xffffffffULL) != 0) + unsigned((lo >> 32) != 0) + unsigned((hi & 0xffffffffULL) != 0) +
               unsigned((hi >> 32) != 0);
    }
};

/// Which sectors of a line are meant; bit i is sector i.
struct SectorSet {
    std::uint8_t bits = 0;

    static constexpr SectorSet all() { return SectorSet(kAll); }
    /// Sectors of which at least one byte is in the mask.
    static constexpr SectorSet touched(ByteMask m) {
        return SectorSet(unsigned((m.lo & kLow) != 0) | unsigned((m.lo >> 32) != 0) << 1 |
                         unsigned((m.hi & kLow) != 0) << 2 | unsigned((m.hi >> 32) != 0) << 3);
    }
    /// Sectors of which every byte is in the mask.
    static constexpr SectorSet covered(ByteMask m) { return ~touched(~m); }
    constexpr SectorSet() = default;
    constexpr explicit SectorSet(unsigned b) : bits(static_cast<std::uint8_t>(b)) {}
    constexpr bool any() const { return bits != 0; }
    constexpr bool is_all() const { return bits == kAll; }
    constexpr bool covers(SectorSet s) const { return (s.bits & ~unsigned{bits}) == 0; }
    constexpr ByteMask bytes() const {
        return {((bits & 1U) != 0 ? kLow : 0) | ((bits & 2U) != 0 ? kLow << 32 : 0),
                ((bits & 4U) != 0 ? kLow : 0) | ((bits & 8U) != 0 ? kLow << 32 : 0)};
    }
    constexpr SectorSet operator|(SectorSet o) const { return SectorSet(unsigned{bits} | o.bits); }
    constexpr SectorSet operator&(SectorSet o) const { return SectorSet(unsigned{bits} & o.bits); }
    constexpr SectorSet operator~() const { return SectorSet(~unsigned{bits} & kAll); }
    constexpr bool operator==(SectorSet o) const { return bits == o.bits; }
    SectorSet& operator|=(SectorSet o) { return *this = *this | o; }

  private:
    static constexpr unsigned kAll = (1U << kLineSectors) - 1;
    static constexpr std::uint64_t kLow = 0xffffffffULL;
};

} // namespace numavp
