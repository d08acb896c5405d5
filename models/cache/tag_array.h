/// The tags of one cache: the lines that it holds, their valid sectors and dirty bytes, and the next victim.
///
/// Plain C++, no time. True LRU in each set; invalid frames are behind all valid ones in that order. Lines are local
/// (their home is this socket) or remote. A way partition, if set, is enforced lazily: a look-up covers all ways, and
/// only the choice of a victim follows the quotas (NUMA-aware GPUs, section 5.1).
#pragma once

#include <cstdint>
#include <vector>

#include <boost/align/aligned_allocator.hpp>

#include "base/values/types.h"
#include "tlm-links/protocol/address_map.h"

namespace numavp {

class TagArray {
  public:
    /// Constraints on the victim for a new line.
    struct Demand {
        bool remote = false;             ///< class of the new line
        bool spare_dirty_remote = false; ///< dirty remote lines may not be evicted
    };
    static constexpr unsigned kMaxWays = 64;

    /// Any number of sets; 1 to 64 ways. With `data`, lines have 128 bytes each.
    TagArray(unsigned sets, unsigned ways, bool data);

    /// From now on a line's set follows from its place among the lines of its slice: as many consecutive lines of a
    /// slice as it has sets lie in different ones, whatever the number of slices. Before the first line is installed.
    void spread_evenly(const Slicing& slicing) {
        evenly_ = true;
        slicing_ = slicing;
    }

    /// What a look-up of `line` touches first.
    const void* first_touched(std::uint64_t line) const { return &words_[base_of(line)]; }
    /// Fetches what a look-up of `line` will touch. Always inline: GCC takes a function that only prefetches for one
    /// without an effect, and drops calls of it.
    [[gnu::always_inline]] void prefetch(std::uint64_t line) const {
        const std::uint64_t* const set = &words_[base_of(line)];
        for (unsigned word = 0; word < header_ + ways_; word += 8) __builtin_prefetch(set + word, 1);
    }

    /// A word that the array keeps beside the tags of a line's set for its owner, 0 at first.
    std::uint64_t& aside(std::uint64_t line) { return words_[base_of(line) + kAside]; }
    std::uint64_t aside(std::uint64_t line) const { return words_[base_of(line) + kAside]; }

    /// Index of a line's frame, -1 if it is not held. Does not touch the order.
    int find(std::uint64_t line) const {
        const unsigned base = base_of(line), first = base + header_;
        const std::uint64_t wanted = signature(line) * kEachByte;
        for (unsigned word = kSignatures, eight = first; word < header_; ++word, eight += 8) {
            const std::uint64_t differs = words_[base + word] ^ wanted;
            // The highest bit of each byte that is 0; bytes without a way are not, since no signature is 0.
            std::uint64_t same = ~(((differs & kLow7) + kLow7) | differs | kLow7);
            for (; same; same &= same - 1) {
                const unsigned frame = eight + static_cast<unsigned>(__builtin_ctzll(same)) / 8;
                if ((words_[frame] & ~kNotCompared) == (line | kValid)) return static_cast<int>(frame);
            }
        }
        return -1;
    }
    /// Makes a frame the most recently used of its set.
    void touch(unsigned frame);
    /// The frame for a new `line`: an invalid one or a victim; -1 if `demand` forbids all frames of the set.
    int victim(std::uint64_t line, Demand demand) const;
    /// Puts a line into a frame, clean. `sectors` are valid; of the others only bytes that get dirty will be readable.
    void install(unsigned frame, std::uint64_t line, bool remote, SectorSet sectors);
    void invalidate(unsigned frame);
    /// Makes sectors of a clean frame invalid; the frame is invalid when it has none left.
    void drop(unsigned frame, SectorSet sectors);

    std::uint64_t line_at(unsigned frame) const { return words_[frame] & ~(kFlags | kAllDirty); }
    bool valid(unsigned frame) const { return (words_[frame] & kValid) != 0; }
    bool remote(unsigned frame) const { return (words_[frame] & kRemote) != 0; }
    /// Sectors of which all bytes are valid.
    SectorSet sectors(unsigned frame) const {
        return SectorSet(static_cast<unsigned>(words_[frame] >> kSectorShift & SectorSet::all().bits));
    }
    bool dirty(unsigned frame) const { return (words_[frame] & kDirty) != 0; }
    void add_sectors(unsigned frame, SectorSet sectors) { words_[frame] |= flags_of(sectors); }
    ByteMask dirty_mask(unsigned frame) const {
        if (!dirty(frame)) return {};
        return (words_[frame] & kAllDirty) != 0 ? ByteMask::full() : masks_[index_of(frame)];
    }
    void mark_dirty(unsigned frame, ByteMask mask);
    /// True if all bytes of `mask` can be read from the frame.
    bool readable(unsigned frame, ByteMask mask) const {
        return (words_[frame] & kWhole) == kWhole || readable_bytes(frame).covers(mask);
    }
    ByteMask readable_bytes(unsigned frame) const { return sectors(frame).bytes() | dirty_mask(frame); }
    unsigned char* data(unsigned frame) { return has_data_ ? &data_[index_of(frame) * kLineBytes] : nullptr; }

    /// Sets the number of ways that local lines may fill when remote lines need the rest; 0: no partition.
    void set_local_ways(unsigned local_ways) { local_ways_ = local_ways; }
    unsigned local_ways() const { return local_ways_; }
    /// A strict partition never lends a way to the other class: an invalid frame beyond the quota stays empty.
    void set_strict(bool strict) { strict_ = strict; }

    unsigned ways() const { return ways_; }
    unsigned sets() const { return sets_; }
    /// Number of the set that a line belongs to.
    unsigned set_of(std::uint64_t line) const { return base_of(line) >> stride_bits_; }
    /// Invalidates all clean lines (or only the remote ones) and appends the frames of dirty ones, which stay valid.
    void sweep(bool remote_only, std::vector<std::uint32_t>& dirty_frames);
    /// The same for the lines in [first, first + bytes); returns how many of them were in the cache.
    unsigned sweep(std::uint64_t first, std::uint64_t bytes, std::vector<std::uint32_t>& dirty_frames);
    unsigned count_valid(bool remote) const;

  private:
    static constexpr unsigned kSectorShift = 3;
    static constexpr std::uint64_t kValid = 1, kDirty = 2, kRemote = 4, kWhole = 15 << kSectorShift;
    static constexpr std::uint64_t kFlags = kLineBytes - 1;
    /// Beside kDirty: all bytes are, and masks_ is not read. No physical address has this bit.
    static constexpr std::uint64_t kAllDirty = 1ULL << 63;
    static constexpr std::uint64_t flags_of(SectorSet sectors) { return std::uint64_t{sectors.bits} << kSectorShift; }
    static constexpr std::uint64_t kNotCompared = (kFlags & ~kValid) | kAllDirty;
    /// Words of a set before its tags: the order, 4 bits a way with the most recent in the lowest, the counts, the
    /// owner's, and a byte a way, the signature of the line that was last put there (0: none), so that a look-up of 16
    /// ways compares two words and mostly no tag.
    static constexpr unsigned kAside = 2, kSignatures = 3;
    static constexpr std::uint64_t kEachByte = 0x0101010101010101ULL, kLow7 = 0x7f * kEachByte;
    static std::uint64_t signature(std::uint64_t line) {
        return ((line >> kLineShift) * 0x9e3779b97f4a7c15ULL) >> 56 | 1;
    }
    static constexpr unsigned kShortWays = 16; ///< whose order fits the word; that of more is beside it, a byte a way
    /// How many frames of a set are valid, and how many of these have remote lines.
    struct Held {
        std::uint64_t word;
        static std::uint64_t one(bool is_remote) { return is_remote ? 257 : 1; }
        unsigned all() const { return word & 255; }
        unsigned remote() const { return (word >> 8) & 255; }
        unsigned local() const { return all() - remote(); }
    };
    Held held_at(unsigned base) const { return {words_[base + 1]}; }
    unsigned base_of(std::uint64_t line) const {
        if (__builtin_expect(evenly_, 0)) return even_set(line) << stride_bits_;
        // The higher bits are folded in, so that a power-of-two stride does not fall into one set.
        const std::uint64_t n = line >> kLineShift;
        const std::uint64_t folded = n ^ (n >> set_bits_) ^ (n >> (2 * set_bits_ + 3));
        return static_cast<unsigned>(set_mask_ != 0 ? folded & set_mask_ : folded % sets_) << stride_bits_;
    }
    unsigned even_set(std::uint64_t line) const;
    unsigned base_at(unsigned frame) const { return frame >> stride_bits_ << stride_bits_; }
    /// Index of a frame in masks_ and data_, which have no gaps between sets.
    std::size_t index_of(unsigned frame) const {
        return std::size_t{frame >> stride_bits_} * ways_ + (frame - base_at(frame) - header_);
    }
    int victim_of_class(unsigned base, bool want_remote, bool any_class, Demand demand) const;
    std::uint8_t* long_order(unsigned base) { return &long_orders_[std::size_t{base >> stride_bits_} * ways_]; }
    const std::uint8_t* long_order(unsigned base) const {
        return &long_orders_[std::size_t{base >> stride_bits_} * ways_];
    }
    /// The way that is the i-th most recent of a set.
    unsigned way_at(unsigned base, unsigned i) const {
        return ways_ > kShortWays ? long_order(base)[i] : (words_[base] >> (4 * i)) & 15;
    }
    void move_to(unsigned base, unsigned way, unsigned place);

    // All that most look-ups read of the array itself: a cache line where the array begins with one.
    unsigned sets_, ways_, header_, set_bits_, stride_bits_;
    unsigned local_ways_ = 0;
    std::uint64_t set_mask_; ///< of a power of two of sets; else, and for one set, 0
    bool has_data_, strict_ = false, evenly_ = false;
    /// A set after the other, each from a cache line's start: its header, then line addresses with flags in their low
    /// bits. A frame is named by its word.
    std::vector<std::uint64_t, boost::alignment::aligned_allocator<std::uint64_t, 64>> words_;
    std::vector<std::uint8_t> long_orders_; ///< of more than kShortWays ways: the ways of each set, most recent first
    std::vector<ByteMask> masks_;           ///< made with the first line that is dirty in part
    std::vector<unsigned char> data_;
    Slicing slicing_; ///< valid if `evenly_`
};

} // namespace numavp
