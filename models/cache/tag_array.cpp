#include "models/cache/tag_array.h"

namespace numavp {

namespace {
/// Where a way stands in an order, in bits: the nibble that equals it.
unsigned place_of(std::uint64_t order, std::uint64_t way) {
    const std::uint64_t x = order ^ (way * 0x1111111111111111ULL);
    const std::uint64_t zeros = (x - 0x1111111111111111ULL) & ~x & 0x8888888888888888ULL;
    return static_cast<unsigned>(__builtin_ctzll(zeros)) & ~3U;
}
} // namespace

TagArray::TagArray(unsigned sets, unsigned ways, bool data)
    : sets_(sets), ways_(ways), set_bits_(static_cast<unsigned>(__builtin_ctz(sets))), held_(sets, 0), remote_(sets, 0),
      tags_(std::size_t{sets} * ways, 0), order_(sets, 0xfedcba9876543210ULL), masks_(std::size_t{sets} * ways),
      data_(data ? std::size_t{sets} * ways * kLineBytes : 0) {}

void TagArray::touch(unsigned frame) {
    const unsigned set = frame / ways_;
    const std::uint64_t way = frame - set * ways_;
    const std::uint64_t order = order_[set];
    if ((order & 15) == way) return;
    const unsigned place = place_of(order, way); // not 0
    const std::uint64_t below = order & ((1ULL << place) - 1);
    const std::uint64_t above = place == 60 ? 0 : order & (~0ULL << (place + 4));
    order_[set] = above | (below << 4) | way;
}

int TagArray::victim(std::uint64_t line, Demand demand) const {
    const unsigned set = set_of(line);
    const bool partitioned = local_ways_ != 0;
    if (!partitioned && !demand.spare_dirty_remote) // an invalid frame, or the least recently used
        return static_cast<int>(set * ways_ + ((order_[set] >> (4 * (ways_ - 1))) & 15));
    const unsigned own = demand.remote ? remote_[set] : held_[set] - remote_[set];
    const unsigned quota = !partitioned ? ways_ : (demand.remote ? ways_ - local_ways_ : local_ways_);
    const bool over = own >= quota;
    if (held_[set] < ways_ && !(strict_ && over))
        return static_cast<int>(set * ways_ + ((order_[set] >> (4 * (ways_ - 1))) & 15));
    // Within the quota a line takes from the other class, at or over it from its own.
    const int frame = victim_of_class(set, demand.remote == over, !partitioned, demand);
    if (frame >= 0 || !partitioned || strict_) return frame;
    return victim_of_class(set, false, true, demand);
}

int TagArray::victim_of_class(unsigned set, bool want_remote, bool any_class, Demand demand) const {
    for (unsigned i = held_[set]; i-- > 0;) {
        const unsigned frame = set * ways_ + static_cast<unsigned>((order_[set] >> (4 * i)) & 15);
        if (!any_class && remote(frame) != want_remote) continue;
        if (demand.spare_dirty_remote && remote(frame) && dirty(frame)) continue;
        return static_cast<int>(frame);
    }
    return -1;
}

void TagArray::install(unsigned frame, std::uint64_t line, bool is_remote, bool is_whole) {
    const unsigned set = set_at(frame);
    if (!valid(frame))
        ++held_[set];
    else if (remote(frame))
        --remote_[set];
    remote_[set] = static_cast<std::uint8_t>(remote_[set] + is_remote);
    tags_[frame] = line | kValid | (is_remote ? kRemote : 0) | (is_whole ? kWhole : 0);
    touch(frame);
}

void TagArray::invalidate(unsigned frame) {
    if (!valid(frame)) return;
    const unsigned set = set_at(frame);
    --held_[set];
    if (remote(frame)) --remote_[set];
    tags_[frame] = 0;
    // To the back of the order, behind the valid frames.
    const std::uint64_t way = frame - set * ways_;
    const std::uint64_t order = order_[set];
    const unsigned place = place_of(order, way);
    const unsigned last = 4 * (ways_ - 1);
    const std::uint64_t below = order & ((1ULL << place) - 1);
    const std::uint64_t rest = last == 60 ? 0 : order & (~0ULL << (last + 4));
    const std::uint64_t inside = last == 60 ? order : order & ~(~0ULL << (last + 4));
    const std::uint64_t moved = place == 60 ? 0 : (inside >> (place + 4)) << place;
    order_[set] = rest | (way << last) | moved | below;
}

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
