#include "models/sm/slot_account.h"

#include <algorithm>

namespace numavp {

/// `schedulers_of` for any number of schedulers.
SlotAccount::Set SlotAccount::gather(std::uint64_t warps) const {
    Set set = 0;
    for (; warps != 0; warps &= warps - 1) set |= 1U << (static_cast<unsigned>(__builtin_ctzll(warps)) % schedulers_);
    return set;
}

/// `add` where some scheduler issues a repeated instruction.
void SlotAccount::add_rest(SlotCause cause, Set set, Cycle now) {
    for (unsigned s = 0; s < schedulers_; ++s) {
        if (((set >> s) & 1) == 0) continue;
        const Cycle issued = until_[s] > from_ ? std::min(until_[s], now) - from_ : (issued_ >> s) & 1;
        charged_[cause] += now - from_ - issued;
    }
}

void SlotAccount::resident(std::uint64_t warps) {
    if (from_ != people_since_) {
        charged_[SlotCause::no_warp] += (from_ - people_since_) * size(all_ & ~peopled_) - size(left_);
        charged_.warp_cycles += (from_ - people_since_) * resident_;
        people_since_ = from_;
        left_ = 0;
    }
    peopled_ = schedulers_of(warps);
    left_ = issued_ & ~peopled_;
    resident_ = static_cast<unsigned>(__builtin_popcountll(warps));
    if (resident_ == 0) charged_.last_warp = from_;
}

SlotCounts SlotAccount::counts() const {
    SlotCounts counts = charged_;
    if (from_ != people_since_) {
        counts[SlotCause::no_warp] += (from_ - people_since_) * size(all_ & ~peopled_) - size(left_);
        counts.warp_cycles += (from_ - people_since_) * resident_;
    }
    std::uint64_t to_come = size(issued_), charged = 0;
    for (unsigned s = 0; s < schedulers_ && busy_ > from_; ++s)
        if (until_[s] > from_) to_come += until_[s] - from_ - ((issued_ >> s) & 1);
    counts[SlotCause::issued] = issued_slots_ - to_come;
    counts[SlotCause::memory] = 0;
    for (const std::uint64_t slots : counts.slots) charged += slots;
    counts[SlotCause::memory] = from_ * schedulers_ - charged;
    return counts;
}

} // namespace numavp
