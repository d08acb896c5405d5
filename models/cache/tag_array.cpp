#include "models/cache/tag_array.h"

namespace numavp {

TagArray::TagArray(unsigned sets, unsigned ways, bool data)
    : sets_(sets), ways_(ways), set_bits_(static_cast<unsigned>(__builtin_ctz(sets))),
      tags_(std::size_t{sets} * ways, 0), order_(sets, 0xfedcba9876543210ULL), masks_(std::size_t{sets} * ways),
      data_(data ? std::size_t{sets} * ways * kLineBytes : 0) {}

void TagArray::touch(unsigned frame) {
    const unsigned set = frame / ways_;
    const std::uint64_t way = frame - set * ways_;
    const std::uint64_t order = order_[set];
    if ((order & 15) == way) return;
    const std::uint64_t x = order ^ (way * 0x1111111111111111ULL); // the nibble that is 0 is the way's place
    const std::uint64_t zeros = (x - 0x1111111111111111ULL) & ~x & 0x8888888888888888ULL;
    const unsigned place = static_cast<unsigned>(__builtin_ctzll(zeros)) & ~3U; // in bits; not 0
    const std::uint64_t below = order & ((1ULL << place) - 1);
    const std::uint64_t above = place == 60 ? 0 : order & (~0ULL << (place + 4));
    order_[set] = above | (below << 4) | way;
}

int TagArray::victim(std::uint64_t line, Demand demand) const {
    const unsigned set = set_of(line);
    const unsigned base = set * ways_;
    unsigned own = 0;
    int invalid = -1;
    for (unsigned w = ways_; w-- > 0;) {
        if (!valid(base + w))
            invalid = static_cast<int>(base + w);
        else if (remote(base + w) == demand.remote)
            ++own;
    }
    const unsigned quota = local_ways_ == 0 ? ways_ : (demand.remote ? ways_ - local_ways_ : local_ways_);
    const bool over = own >= quota;
    if (invalid >= 0 && !(strict_ && over)) return invalid;
    // Within the quota a line takes from the other class, at or over it from its own; without a partition from all.
    const bool any_class = local_ways_ == 0;
    for (const bool relaxed : {false, true}) {
        if (relaxed && (any_class || strict_)) break;
        for (unsigned i = ways_; i-- > 0;) {
            const unsigned frame = base + static_cast<unsigned>((order_[set] >> (4 * i)) & 15);
            if (!valid(frame)) continue;
            if (!any_class && !relaxed && (remote(frame) == demand.remote) != over) continue;
            if (demand.spare_dirty_remote && remote(frame) && dirty(frame)) continue;
            return static_cast<int>(frame);
        }
    }
    return -1;
}

void TagArray::install(unsigned frame, std::uint64_t line, bool is_remote, bool is_whole) {
    tags_[frame] = line | kValid | (is_remote ? kRemote : 0) | (is_whole ? kWhole : 0);
    touch(frame);
}

void TagArray::invalidate(unsigned frame) { tags_[frame] = 0; }

void TagArray::mark_dirty(unsigned frame, ByteMask mask) {
    masks_[frame] = dirty(frame) ? masks_[frame] | mask : mask;
    tags_[frame] |= kDirty;
    if (masks_[frame].all()) tags_[frame] |= kWhole;
}

void TagArray::sweep(bool remote_only, std::vector<std::uint32_t>& dirty_frames) {
    for (unsigned frame = 0; frame < frames(); ++frame) {
        if (!valid(frame) || (remote_only && !remote(frame))) continue;
        if (dirty(frame))
            dirty_frames.push_back(frame);
        else
            invalidate(frame);
    }
}

unsigned TagArray::count_valid(bool is_remote) const {
    unsigned count = 0;
    for (unsigned frame = 0; frame < frames(); ++frame) count += valid(frame) && remote(frame) == is_remote;
    return count;
}

} // namespace numavp
