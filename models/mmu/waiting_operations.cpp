#include "models/mmu/waiting_operations.h"

#include <algorithm>

namespace numavp {

WaitingOperations::WaitingOperations(unsigned places, unsigned warps) : slots_(places), last_(warps, kNone) {
    for (unsigned i = places; i-- > 0;) free_.push_back(i);
}

unsigned WaitingOperations::enter(unsigned warp) {
    const unsigned place = free_.back();
    free_.pop_back();
    slots_[place] = {};
    slots_[place].warp = warp;
    if (last_[warp] != kNone) slots_[last_[warp]].next = place;
    last_[warp] = place;
    return place;
}

bool WaitingOperations::wait(unsigned place, std::uint64_t page, std::uint64_t now_ps) {
    const bool first =
        std::none_of(waiting_.begin(), waiting_.end(), [&](unsigned other) { return slots_[other].page == page; });
    slots_[place].page = page;
    slots_[place].since_ps = now_ps;
    slots_[place].answered = false;
    waiting_.push_back(place);
    return first;
}

void WaitingOperations::forget(std::uint64_t page) {
    for (Slot& slot : slots_)
        if (slot.page == page) slot.answered = false;
}

void WaitingOperations::leave() {
    const unsigned place = ready_.front();
    ready_.pop_front();
    Slot& slot = slots_[place];
    if (slot.next != kNone)
        ready_.push_back(slot.next);
    else
        last_[slot.warp] = kNone;
    slot = {};
    free_.push_back(place);
}

bool WaitingOperations::wait_again(std::uint64_t page, std::uint64_t now_ps) {
    const unsigned place = ready_.front();
    ready_.pop_front();
    return wait(place, page, now_ps);
}

} // namespace numavp
