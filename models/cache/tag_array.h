/// The tags of one cache: which lines it holds, what is dirty in them, who goes next.
///
/// Plain C++, no time. True LRU in each set; invalid frames are behind all valid ones in that order. Lines are local
/// (their home is this socket) or remote; a partition of the ways, if set, is enforced lazily: all ways are looked up,
/// and only a victim's choice follows the quotas (NUMA-aware GPUs, section 5.1).
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"

namespace numavp {

class TagArray {
  public:
    /// What may be evicted for a new line.
    struct Demand {
        bool remote = false;             ///< class of the new line
        bool spare_dirty_remote = false; ///< dirty remote lines may not be evicted
    };
    static constexpr unsigned kMaxWays = 16;

    /// `sets` is a power of two; 1 to 16 ways. With `data`, lines have 128 bytes each.
    TagArray(unsigned sets, unsigned ways, bool data);

    /// Index of a line's frame, -1 if it is not held. Does not touch the order.
    int find(std::uint64_t line) const {
        const std::uint64_t* tags = &tags_[std::size_t{set_of(line)} * ways_];
        for (unsigned w = 0; w < ways_; ++w)
            if ((tags[w] & ~kFlags) == line && (tags[w] & kValid)) return static_cast<int>(set_of(line) * ways_ + w);
        return -1;
    }
    /// Makes a frame the most recently used of its set.
    void touch(unsigned frame);
    /// The frame in which `line` would be put: an invalid one or a victim; -1 if the demand forbids all.
    int victim(std::uint64_t line, Demand demand) const;
    /// Puts a line into a frame, clean; `whole`: all its bytes are there, else only what gets dirty.
    void install(unsigned frame, std::uint64_t line, bool remote, bool whole);
    void invalidate(unsigned frame);

    std::uint64_t line_at(unsigned frame) const { return tags_[frame] & ~kFlags; }
    bool valid(unsigned frame) const { return (tags_[frame] & kValid) != 0; }
    bool remote(unsigned frame) const { return (tags_[frame] & kRemote) != 0; }
    bool whole(unsigned frame) const { return (tags_[frame] & kWhole) != 0; }
    bool dirty(unsigned frame) const { return (tags_[frame] & kDirty) != 0; }
    void set_whole(unsigned frame) { tags_[frame] |= kWhole; }
    ByteMask dirty_mask(unsigned frame) const { return dirty(frame) ? masks_[frame] : ByteMask{}; }
    void mark_dirty(unsigned frame, ByteMask mask);
    void clean(unsigned frame) { tags_[frame] &= ~kDirty; }
    /// All bytes of `mask` can be read from the frame.
    bool readable(unsigned frame, ByteMask mask) const { return whole(frame) || dirty_mask(frame).covers(mask); }
    unsigned char* data(unsigned frame) { return data_.empty() ? nullptr : &data_[std::size_t{frame} * kLineBytes]; }

    /// Ways that local lines may fill when others want the rest; 0: no partition.
    void set_local_ways(unsigned local_ways) { local_ways_ = local_ways; }
    unsigned local_ways() const { return local_ways_; }
    /// A strict partition never borrows: an invalid frame beyond the quota stays empty.
    void set_strict(bool strict) { strict_ = strict; }

    unsigned frames() const { return static_cast<unsigned>(tags_.size()); }
    unsigned ways() const { return ways_; }
    /// Invalidates all clean lines (only remote ones if asked); collects the dirty ones that remain.
    void sweep(bool remote_only, std::vector<std::uint32_t>& dirty_frames);
    unsigned count_valid(bool remote) const;

  private:
    static constexpr std::uint64_t kValid = 1, kDirty = 2, kRemote = 4, kWhole = 8, kFlags = kLineBytes - 1;
    unsigned set_of(std::uint64_t line) const {
        // The higher bits are folded in, so that a power-of-two stride does not fall into one set.
        const std::uint64_t n = line >> kLineShift;
        return static_cast<unsigned>((n ^ (n >> set_bits_) ^ (n >> (2 * set_bits_ + 3))) & (sets_ - 1));
    }
    int victim_of_class(unsigned set, bool want_remote, bool any_class, Demand demand) const;
    unsigned set_at(unsigned frame) const { return frame / ways_; }

    unsigned sets_, ways_, set_bits_;
    std::vector<std::uint8_t> held_;   ///< per set: valid frames
    std::vector<std::uint8_t> remote_; ///< per set: valid frames with remote lines
    std::vector<std::uint64_t> tags_;  ///< line address with flags in its low bits
    std::vector<std::uint64_t> order_; ///< per set, 4 bits a way, most recent in the lowest
    std::vector<ByteMask> masks_;
    std::vector<unsigned char> data_;
    unsigned local_ways_ = 0;
    bool strict_ = false;
};

} // namespace numavp
