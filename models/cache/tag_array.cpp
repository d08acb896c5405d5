#include "models/cache/tag_array.h"

#include <algorithm>
#include <cassert>

#include "base/values/address_layout.h"

namespace numavp {

namespace {
/// Position of a way in an order, in bits: that of the nibble that equals the way.
unsigned place_of(std::uint64_t order, std::uint64_t way) {
    const std::uint64_t x = order ^ (way * 0x1111111111111111ULL);
    const std::uint64_t zeros = (x - 0x1111111111111111ULL) & ~x & 0x8888888888888888ULL;
    return static_cast<unsigned>(__builtin_ctzll(zeros)) & ~3U;
}

/// An order with a way moved to its front.
std::uint64_t with_first(std::uint64_t order, std::uint64_t way) {
    const std::uint64_t moved = (2ULL << (place_of(order, way) + 3)) - 1; // nibbles up to the way's
    return (order & ~moved) | (order << 4 & moved) | way;
}
} // namespace

TagArray::TagArray(unsigned sets, unsigned ways, bool data)
    : sets_(sets), ways_(ways), header_(kSignatures + (ways + 7) / 8), set_bits_(bits_for(sets)), stride_bits_(3),
      set_mask_((sets & (sets - 1)) == 0 ? sets - 1 : 0), has_data_(data),
      data_(data ? std::size_t{sets} * ways * kLineBytes : 0) {
    while ((1U << stride_bits_) < header_ + ways) ++stride_bits_;
    words_.assign(std::size_t{sets} << stride_bits_, 0);
    for (unsigned set = 0; set < sets; ++set) words_[std::size_t{set} << stride_bits_] = 0xfedcba9876543210ULL;
    if (ways <= kShortWays) return;
    long_orders_.resize(std::size_t{sets} * ways);
    for (std::size_t i = 0; i < long_orders_.size(); ++i) long_orders_[i] = static_cast<std::uint8_t>(i % ways);
}

/// A slice's lines are numbered by rounds and, within a round, by the lines that it has in turn. The sets are gone
/// through once for as many lines as there are sets, each time from a scattered one, so that no stride stays on one.
unsigned TagArray::even_set(std::uint64_t line) const {
    const std::uint64_t in_turn = (line >> kLineShift) & ((1U << slicing_.shift) - 1);
    const std::uint64_t number = (slicing_.round_of(line) << slicing_.shift) + in_turn;
    const std::uint64_t time = number / sets_;
    return static_cast<unsigned>((number + (time * 0x9e3779b97f4a7c15ULL >> 32)) % sets_);
}

/// In a long order; the ways between move up or down by one.
void TagArray::move_to(unsigned base, unsigned way, unsigned place) {
    std::uint8_t* const order = long_order(base);
    std::uint8_t* const from = std::find(order, order + ways_, static_cast<std::uint8_t>(way));
    std::uint8_t* const to = order + place;
    if (from > to)
        std::rotate(to, from, from + 1);
    else
        std::rotate(from, from + 1, to + 1);
}

void TagArray::touch(unsigned frame) {
    const unsigned base = base_at(frame);
    if (ways_ > kShortWays) return move_to(base, frame - base - header_, 0);
    words_[base] = with_first(words_[base], frame - base - header_);
}

int TagArray::victim(std::uint64_t line, Demand demand) const {
    const unsigned base = base_of(line);
    // An invalid frame, or the least recently used.
    const auto last = static_cast<int>(base + header_ + way_at(base, ways_ - 1));
    const bool partitioned = local_ways_ != 0;
    if (!partitioned && !demand.spare_dirty_remote) return last;
    const Held held = held_at(base);
    const unsigned own = demand.remote ? held.remote() : held.local();
    const unsigned quota = !partitioned ? ways_ : (demand.remote ? ways_ - local_ways_ : local_ways_);
    const bool over = own >= quota;
    if (held.all() < ways_ && !(strict_ && over)) return last;
    // Within the quota a line takes from the other class, at or over it from its own.
    const int frame = victim_of_class(base, demand.remote == over, !partitioned, demand);
    if (frame >= 0 || !partitioned || strict_) return frame;
    return victim_of_class(base, false, true, demand);
}

inline int TagArray::victim_of_class(unsigned base, bool want_remote, bool any_class, Demand demand) const {
    for (unsigned i = held_at(base).all(); i-- > 0;) {
        const unsigned frame = base + header_ + way_at(base, i);
        if (!any_class && remote(frame) != want_remote) continue;
        if (demand.spare_dirty_remote && remote(frame) && dirty(frame)) continue;
        return static_cast<int>(frame);
    }
    return -1;
}

void TagArray::install(unsigned frame, std::uint64_t line, bool is_remote, SectorSet there) {
    assert((line & (kFlags | kAllDirty)) == 0);
    const unsigned base = base_at(frame), way = frame - base - header_;
    std::uint64_t* const set = &words_[base];
    std::uint64_t& tag = words_[frame];
    set[1] += Held::one(is_remote) - ((tag & kValid) != 0 ? Held::one((tag & kRemote) != 0) : 0);
    tag = line | kValid | (is_remote ? kRemote : 0) | flags_of(there);
    const unsigned shift = way % 8 * 8;
    std::uint64_t& signatures = set[kSignatures + way / 8];
    signatures ^= ((signatures >> shift ^ signature(line)) & 0xff) << shift;
    if (ways_ > kShortWays)
        move_to(base, way, 0);
    else
        *set = with_first(*set, way);
}

void TagArray::invalidate(unsigned frame) {
    if (!valid(frame)) return;
    const unsigned base = base_at(frame);
    words_[base + 1] -= Held::one(remote(frame));
    words_[frame] = 0;
    // To the back of the order, behind the valid frames.
    if (ways_ > kShortWays) return move_to(base, frame - base - header_, ways_ - 1);
    const std::uint64_t way = frame - base - header_;
    const std::uint64_t order = words_[base];
    const unsigned place = place_of(order, way);
    const unsigned last = 4 * (ways_ - 1);
    const std::uint64_t below = order & ((1ULL << place) - 1);
    const std::uint64_t rest = last == 60 ? 0 : order & (~0ULL << (last + 4));
    const std::uint64_t inside = last == 60 ? order : order & ~(~0ULL << (last + 4));
    const std::uint64_t moved = place == 60 ? 0 : (inside >> (place + 4)) << place;
    words_[base] = rest | (way << last) | moved | below;
}

void TagArray::mark_dirty(unsigned frame, ByteMask mask) {
    if ((words_[frame] & kAllDirty) != 0) return;
    if (!mask.all()) {
        if (masks_.empty()) masks_.resize(std::size_t{sets_} * ways_);
        ByteMask& dirty_bytes = masks_[index_of(frame)];
        if (dirty(frame)) mask |= dirty_bytes;
        dirty_bytes = mask;
    }
    words_[frame] |= kDirty | flags_of(SectorSet::covered(mask)) | (mask.all() ? kAllDirty : 0);
}

void TagArray::drop(unsigned frame, SectorSet gone) {
    words_[frame] &= ~flags_of(gone);
    if (!sectors(frame).any()) invalidate(frame);
}

void TagArray::sweep(bool remote_only, std::vector<std::uint32_t>& dirty_frames) {
    for (unsigned base = 0; base < words_.size(); base += 1U << stride_bits_) {
        if (held_at(base).all() == 0) continue;
        for (unsigned frame = base + header_; frame < base + header_ + ways_; ++frame) {
            if (!valid(frame) || (remote_only && !remote(frame))) continue;
            if (dirty(frame))
                dirty_frames.push_back(frame);
            else
                invalidate(frame);
        }
    }
}

unsigned TagArray::sweep(std::uint64_t first, std::uint64_t bytes, std::vector<std::uint32_t>& dirty_frames) {
    unsigned found = 0;
    for (unsigned base = 0; base < words_.size(); base += 1U << stride_bits_) {
        if (held_at(base).all() == 0) continue;
        for (unsigned frame = base + header_; frame < base + header_ + ways_; ++frame) {
            if (!valid(frame) || line_at(frame) - first >= bytes) continue;
            ++found;
            if (dirty(frame))
                dirty_frames.push_back(frame);
            else
                invalidate(frame);
        }
    }
    return found;
}

unsigned TagArray::count_valid(bool is_remote) const {
    unsigned count = 0;
    for (unsigned base = 0; base < words_.size(); base += 1U << stride_bits_) {
        const Held held = held_at(base);
        count += is_remote ? held.remote() : held.local();
    }
    return count;
}

} // namespace numavp
