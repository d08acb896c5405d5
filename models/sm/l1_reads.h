/// Reads of an L1 that are on their way, and the loads that wait for them.
///
/// Plain C++, no time. Each read is an entry; those of one line bring different sectors. A load waits
/// for the entries that bring its sectors. Sectors that a store or a flush meets on their way are stale: the loads that
/// wait for them use them, later ones don't, and the L1 does not keep them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/types.h"
#include "models/cache/pending_lists.h"
#include "models/cache/tag_array.h"

namespace numavp {

class L1Reads {
  public:
    static constexpr unsigned kNone = PendingLists::kNone;
    struct Waiter {
        unsigned load;
        ByteMask mask; ///< bytes that it takes from what comes
    };
    /// At most `merges` loads wait for an entry. Entries are found beside the L1's tags.
    L1Reads(unsigned entries, unsigned merges, TagArray& tags) : tags_(tags), entries_(entries), merges_(merges) {
        for (unsigned i = entries; i-- > 0;) give_back(i);
    }

    /// First entry of a line, kNone if none is on its way.
    unsigned find(std::uint64_t line) const { return PendingLists::find(tags_.aside(line), entries_, line); }
    bool full() const { return free_ == PendingLists::kLast; }
    /// Whether a load may wait for those of the sectors that are on their way; `ask` loses them.
    bool mergeable(unsigned first, SectorSet missing, SectorSet& ask) const {
        for (unsigned i = first; i != kNone; i = PendingLists::find_behind(i, entries_)) {
            const Entry& e = entries_[i];
            const SectorSet shared = e.sectors & missing;
            if (!shared.any()) continue;
            if ((e.stale & shared).any() || e.waiting >= merges_) return false;
            ask = ask & ~shared;
        }
        return true;
    }
    /// Lets a load wait for them. Returns the number of entries for which it does.
    unsigned merge(unsigned first, unsigned load, ByteMask mask, SectorSet missing) {
        unsigned joined = 0;
        for (unsigned i = first; i != kNone; i = PendingLists::find_behind(i, entries_)) {
            Entry& e = entries_[i];
            const SectorSet shared = e.sectors & missing;
            if (!shared.any()) continue;
            e.others.push_back({load, mask & shared.bytes()});
            ++e.waiting;
            ++joined;
        }
        return joined;
    }
    /// Begins a read of sectors that no other entry of the line brings; there must be room. `keep`: the L1 gets what
    /// comes.
    unsigned begin(std::uint64_t line, SectorSet sectors, bool keep, Waiter waiter) {
        const unsigned index = free_;
        Entry& e = entries_[index];
        free_ = e.behind;
        e.line = line;
        e.sectors = sectors;
        e.stale = SectorSet();
        e.keep = keep;
        e.waiting = 1;
        e.first_load = waiter.load;
        e.first_mask = waiter.mask;
        PendingLists::insert(tags_.aside(line), entries_, index);
        return index;
    }
    /// Sectors of a line are written.
    void written(std::uint64_t line, SectorSet sectors) {
        for (unsigned i = find(line); i != kNone; i = PendingLists::find_behind(i, entries_))
            entries_[i].stale |= entries_[i].sectors & sectors;
    }
    /// The L1 is flushed.
    void flush() {
        for (Entry& e : entries_)
            if (e.waiting != 0) e.stale = SectorSet::all();
    }
    /// A read has come: its sectors that the L1 keeps.
    SectorSet kept(unsigned index) const {
        const Entry& e = entries_[index];
        return e.keep ? e.sectors & ~e.stale : SectorSet();
    }
    /// Ends a read: `serve(waiter)` for each load, in the order in which they came.
    template <class Serve> void end(unsigned index, const Serve& serve) {
        Entry& e = entries_[index];
        PendingLists::remove(tags_.aside(e.line), entries_, index);
        serve(Waiter{e.first_load, e.first_mask});
        if (e.waiting > 1) {
            for (const Waiter& w : e.others) serve(w);
            e.others.clear();
        }
        e.waiting = 0;
        give_back(index);
    }
    /// Fetches what the end of a read will touch.
    void prefetch_entry(unsigned index) const { __builtin_prefetch(&entries_[index], 1); }

  private:
    struct alignas(64) Entry {
        std::uint64_t line = 0;
        SectorSet sectors; ///< that it brings
        SectorSet stale;
        bool keep = true;
        std::uint16_t behind = 0; ///< entry in the list of its set, or of those that are free
        unsigned waiting = 0;     ///< loads, 0: free
        unsigned first_load = 0;  ///< most entries have one waiter
        ByteMask first_mask;
        std::vector<Waiter> others;
    };
    static_assert(sizeof(Entry) == 64, "what has come touches one cache line of its entry");
    /// What was freed last is used first: it is near.
    void give_back(unsigned index) {
        entries_[index].behind = free_;
        free_ = static_cast<std::uint16_t>(index);
    }
    TagArray& tags_;
    std::vector<Entry> entries_;
    std::uint16_t free_ = PendingLists::kLast; ///< first of those that are free
    const unsigned merges_;
};

} // namespace numavp
