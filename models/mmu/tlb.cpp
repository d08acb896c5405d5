#include "models/mmu/tlb.h"

namespace numavp {

Tlb::Tlb(unsigned entries, unsigned ways) : index_(entries), slots_(entries), newest_(entries / ways) {
    for (unsigned set = 0; set < newest_.size(); ++set) {
        const unsigned first = set * ways;
        newest_[set] = first;
        for (unsigned way = 0; way < ways; ++way) {
            Slot& slot = slots_[first + way];
            slot.set = set;
            slot.newer = first + (way + ways - 1) % ways;
            slot.older = first + (way + 1) % ways;
        }
    }
}

/// Out of its place in the ring, and in as the newest.
void Tlb::touch(unsigned number) {
    Slot& slot = slots_[number];
    unsigned& newest = newest_[slot.set];
    const unsigned oldest = slots_[newest].newer;
    if (number != newest && number != oldest) {
        slots_[slot.newer].older = slot.older;
        slots_[slot.older].newer = slot.newer;
        slot.older = newest;
        slot.newer = oldest;
        slots_[newest].newer = number;
        slots_[oldest].older = number;
    }
    newest = number; // the oldest becomes the newest where the ring begins
}

void Tlb::insert(std::uint64_t page, Translation entry) {
    unsigned number = index_.find(key(page));
    if (number == PendingTable::kNone) {
        number = slots_[newest_[page % newest_.size()]].newer;
        Slot& slot = slots_[number];
        if (slot.page != kNever)
            index_.erase(key(slot.page));
        else
            ++held_;
        slot.page = page;
        index_.insert(key(page), number);
    }
    slots_[number].entry = entry;
    touch(number);
}

bool Tlb::drop(std::uint64_t page) {
    const unsigned number = index_.find(key(page));
    if (number == PendingTable::kNone) return false;
    index_.erase(key(page));
    slots_[number].page = kNever;
    --held_;
    // As the newest first, then the ring begins behind it: it is the oldest.
    touch(number);
    newest_[slots_[number].set] = slots_[number].older;
    return true;
}

} // namespace numavp
