/// Table of addresses for which something waits: finds the entry of one in a few instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/types.h"

namespace numavp {

/// Open addressing with backward-shift deletion; at most half full.
class PendingTable {
  public:
    static constexpr unsigned kNone = ~0U;
    explicit PendingTable(unsigned entries) {
        unsigned size = 4;
        while (size < 2 * entries) size *= 2;
        slots_.assign(size, {kNever, 0});
        mask_ = size - 1;
    }
    /// Entry of `line`, kNone if nothing is pending for it.
    unsigned find(std::uint64_t line) const {
        for (unsigned i = start(line); slots_[i].line != kNever; i = (i + 1) & mask_)
            if (slots_[i].line == line) return slots_[i].entry;
        return kNone;
    }
    /// Prefetches the memory that a look-up of `line` reads.
    void prefetch(std::uint64_t line) const { __builtin_prefetch(&slots_[start(line)], 1); }
    /// What a look-up of `line` reads first.
    const void* first_touched(std::uint64_t line) const { return &slots_[start(line)]; }
    /// Adds a line, which must not be in the table.
    void insert(std::uint64_t line, unsigned entry) {
        unsigned i = start(line);
        while (slots_[i].line != kNever) i = (i + 1) & mask_;
        slots_[i] = {line, entry};
    }
    /// Removes a line, which must be in the table.
    void erase(std::uint64_t line) {
        unsigned i = start(line);
        while (slots_[i].line != line) i = (i + 1) & mask_;
        for (unsigned j = (i + 1) & mask_; slots_[j].line != kNever; j = (j + 1) & mask_) {
            const unsigned home = start(slots_[j].line);
            if (((j - home) & mask_) < ((j - i) & mask_)) continue; // it must stay behind its home
            slots_[i] = slots_[j];
            i = j;
        }
        slots_[i].line = kNever;
    }

  private:
    struct Slot {
        std::uint64_t line;
        unsigned entry;
    };
    unsigned start(std::uint64_t line) const {
        return static_cast<unsigned>(((line >> kLineShift) * 0x9e3779b97f4a7c15ULL) >> 40) & mask_;
    }
    std::vector<Slot> slots_;
    unsigned mask_;
};

} // namespace numavp
