#include "sw/work/coalesce.h"

#include <cstring>

namespace numavp {
namespace {

constexpr std::uint64_t kOffsetMask = kLineBytes - 1;

/// One range of consecutive bytes, cut at line boundaries.
unsigned split_range(std::uint64_t first, std::uint64_t bytes, LineAccess* out) {
    unsigned n = 0;
    while (bytes != 0) {
        const auto offset = static_cast<unsigned>(first & kOffsetMask);
        const unsigned room = kLineBytes - offset;
        const unsigned part = bytes < room ? static_cast<unsigned>(bytes) : room;
        out[n++] = {first - offset, part == kLineBytes ? ByteMask::full() : ByteMask::range(offset, part)};
        first += part;
        bytes -= part;
    }
    return n;
}

/// Gathers lines lane by lane. Neighbouring lanes mostly share a line, so the last two lines are looked
/// at first; only a line that is neither goes through the small open hash table.
class LineSet {
  public:
    explicit LineSet(LineAccess* out) : out_(out) { std::memset(table_, kEmpty, sizeof table_); }

    void add_access(std::uint64_t address, unsigned width) {
        const auto offset = static_cast<unsigned>(address & kOffsetMask);
        const std::uint64_t line = address - offset;
        if (offset + width <= kLineBytes) {
            add(line, offset, width);
        } else {
            const unsigned room = kLineBytes - offset;
            add(line, offset, room);
            add(line + kLineBytes, 0, width - room);
        }
    }
    unsigned count() const { return count_; }

  private:
    static constexpr unsigned kSlots = 128;
    static constexpr unsigned char kEmpty = 0xff;

    void add(std::uint64_t line, unsigned offset, unsigned bytes) {
        LineAccess& entry = find(line);
        // At most 32 bytes: never a whole word, so no shift by 64.
        const std::uint64_t bits = (1ULL << bytes) - 1;
        if (offset >= 64) {
            entry.mask.hi |= bits << (offset - 64);
        } else {
            entry.mask.lo |= bits << offset;
            if (offset + bytes > 64) entry.mask.hi |= bits >> (64 - offset);
        }
    }
    LineAccess& find(std::uint64_t line) {
        if (count_ != 0 && out_[count_ - 1].line_address == line) return out_[count_ - 1];
        if (count_ > 1 && out_[count_ - 2].line_address == line) return out_[count_ - 2];
        auto slot = static_cast<unsigned>(((line >> kLineShift) * 0x9e3779b97f4a7c15ULL) >> 57);
        while (table_[slot] != kEmpty) {
            LineAccess& entry = out_[table_[slot]];
            if (entry.line_address == line) return entry;
            slot = (slot + 1) % kSlots;
        }
        table_[slot] = static_cast<unsigned char>(count_);
        out_[count_] = {line, {}};
        return out_[count_++];
    }

    LineAccess* out_;
    unsigned count_ = 0;
    unsigned char table_[kSlots];
};

} // namespace

unsigned coalesce(const Inst& inst, LineAccess out[kMaxLinesPerInst]) {
    std::uint32_t mask = inst.mask;
    if (mask == 0) return 0;
    const auto first = static_cast<unsigned>(__builtin_ctz(mask));
    if (inst.mode == AddressMode::affine) {
        const auto stride = static_cast<std::int64_t>(inst.stride);
        const std::uint64_t start = inst.base + static_cast<std::uint64_t>(stride * first);
        const std::uint32_t run = mask >> first;
        const bool contiguous = (run & (run + 1)) == 0; // one run of active lanes (all ones: run + 1 is 0)
        if (contiguous && stride == inst.width)
            return split_range(start, static_cast<std::uint64_t>(__builtin_popcount(run)) * inst.width, out);
        if (stride == 0) return split_range(start, inst.width, out);
        LineSet lines(out);
        for (; mask != 0; mask &= mask - 1)
            lines.add_access(inst.base + static_cast<std::uint64_t>(stride * __builtin_ctz(mask)), inst.width);
        return lines.count();
    }
    LineSet lines(out);
    for (; mask != 0; mask &= mask - 1) lines.add_access(inst.list[__builtin_ctz(mask)], inst.width);
    return lines.count();
}

} // namespace numavp
