/// A translation look-aside buffer: maps pages to their places; least recently used replacement in each set.
///
/// Plain C++, no time: ports and latency are modelled by its owner.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cache/pending_table.h"
#include "models/mmu/translation.h"

namespace numavp {

class Tlb {
  public:
    /// `entries` is a multiple of `ways`; both the same: fully associative.
    Tlb(unsigned entries, unsigned ways);

    /// The page's entry, now the most recently used of its set; null if it is not held. Valid until the next change.
    const Translation* look_up(std::uint64_t page) {
        const unsigned slot = index_.find(key(page));
        if (slot == PendingTable::kNone) return nullptr;
        if (newest_[slots_[slot].set] != slot) touch(slot);
        return &slots_[slot].entry;
    }
    /// Adds a page, or replaces the entry of a page that is held.
    void insert(std::uint64_t page, Translation entry);
    /// Removes a page; true if it was held.
    bool drop(std::uint64_t page);
    unsigned held() const { return held_; }

  private:
    struct Slot {
        std::uint64_t page = kNever;
        Translation entry;
        unsigned set = 0, newer = 0, older = 0; ///< within the set, a ring: the newest's newer is the oldest
    };
    static std::uint64_t key(std::uint64_t page) { return page << kLineShift; }
    void touch(unsigned slot);

    PendingTable index_;
    std::vector<Slot> slots_;
    std::vector<unsigned> newest_; ///< of each set
    unsigned held_ = 0;
};

} // namespace numavp
