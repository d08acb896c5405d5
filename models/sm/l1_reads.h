/// Reads of an L1 that are on their way, and the loads that wait for them.
///
/// Plain C++, no time. Each read is an entry; those of one line are linked and bring different sectors. A load waits
/// for the entries that bring its sectors. Sectors that a store or a flush meets on their way are stale: the loads that
/// wait for them use them, later ones don't, and the L1 does not keep them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/types.h"
#include "models/cache/pending_table.h"

namespace numavp {

class L1Reads {
  public:
    static constexpr unsigned kNone = PendingTable::kNone;
    struct Waiter {
        unsigned load;
        ByteMask mask; ///< bytes that it takes from what comes
    };
    /// At most `merges` loads wait for an entry.
    L1Reads(unsigned entries, unsigned merges) : pending_(entries), entries_(entries), merges_(merges) {
        for (unsigned i = entries; i-- > 0;) free_.push_back(static_cast<std::uint16_t>(i));
    }

    /// First entry of a line, kNone if none is on its way.
    unsigned find(std::uint64_t line) const { return pending_.find(line); }
    bool full() const { return free_.empty(); }
    /// Whether a load may wait for those of the sectors that are on their way; `ask` loses them.
    bool mergeable(unsigned first, SectorSet missing, SectorSet& ask) const {
        for (unsigned i = first; i != kNone; i = entries_[i].next) {
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
        for (unsigned i = first; i != kNone; i = entries_[i].next) {
            Entry& e = entries_[i];
            const SectorSet shared = e.sectors & missing;
            if (!shared.any()) continue;
            e.others.push_back({load, mask & shared.bytes()});
            ++e.waiting;
            ++joined;
        }
        return joined;
    }
    /// Begins a read of sectors that no other entry of the line brings; there must be room. `first` is the line's first
    /// entry; `keep`: the L1 gets what comes.
    unsigned begin(unsigned first, std::uint64_t line, SectorSet sectors, bool keep, Waiter waiter) {
        const unsigned index = free_.back();
        free_.pop_back();
        Entry& e = entries_[index];
        e.line = line;
        e.sectors = sectors;
        e.stale = SectorSet();
        e.keep = keep;
        e.waiting = 1;
        e.first_load = waiter.load;
        e.first_mask = waiter.mask;
        e.next = kNone;
        if (first == kNone) {
            pending_.insert(line, index);
        } else {
            e.next = entries_[first].next;
            entries_[first].next = index;
        }
        return index;
    }
    /// Sectors of a line are written.
    void written(std::uint64_t line, SectorSet sectors) {
        for (unsigned i = find(line); i != kNone; i = entries_[i].next)
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
        unlink(index);
        serve(Waiter{e.first_load, e.first_mask});
        if (e.waiting > 1) {
            for (const Waiter& w : e.others) serve(w);
            e.others.clear();
        }
        e.waiting = 0;
        free_.push_back(static_cast<std::uint16_t>(index));
    }
    /// Fetches what the end of a read will touch, or a look-up of a line.
    void prefetch_entry(unsigned index) const { __builtin_prefetch(&entries_[index], 1); }
    void prefetch(std::uint64_t line) const { pending_.prefetch(line); }
    const void* first_touched(std::uint64_t line) const { return pending_.first_touched(line); }

  private:
    struct alignas(64) Entry {
        std::uint64_t line = 0;
        SectorSet sectors; ///< that it brings
        SectorSet stale;
        bool keep = true;
        unsigned next = kNone;   ///< entry of the same line
        unsigned waiting = 0;    ///< loads, 0: free
        unsigned first_load = 0; ///< most entries have one waiter
        ByteMask first_mask;
        std::vector<Waiter> others;
    };
    static_assert(sizeof(Entry) == 64, "what has come touches one cache line of its entry");
    /// Takes an entry out of those of its line.
    void unlink(unsigned index) {
        const Entry& e = entries_[index];
        unsigned before = pending_.find(e.line);
        if (before == index) {
            pending_.erase(e.line);
            if (e.next != kNone) pending_.insert(e.line, e.next);
            return;
        }
        while (entries_[before].next != index) before = entries_[before].next;
        entries_[before].next = e.next;
    }
    PendingTable pending_;
    std::vector<Entry> entries_;
    std::vector<std::uint16_t> free_;
    const unsigned merges_;
};

} // namespace numavp
