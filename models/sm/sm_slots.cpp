/// Input of an SM for the account of its schedulers' slots.
#include <fmt/format.h>

#include "models/sm/sm.h"

namespace numavp {

void Sm::charge_slots(Cycle now) {
    const std::uint64_t for_queue = unit_full_ ? memory_next_ : 0;
    if (!units_on_ && unit_.untranslated() == 0) // nobody waits for a unit or a page: most machines, at every event
        return slots_.charge(now, {ready_, for_queue, dependent_, at_barrier_, occupied_, 0},
                             [](unsigned schedulers) { return schedulers; });
    SlotAccount::Warps warps = {ready_, for_queue, dependent_, at_barrier_, occupied_, unit_.untranslated()};
    if (unit_full_ && unit_.held_by_pages()) { // who waits for the queue waits for pages
        const std::uint64_t for_pages = ready_ & memory_next_;
        warps.ready &= ~for_pages;
        warps.dependent &= ~for_pages;
        warps.for_queue = 0;
        warps.untranslated |= for_pages;
    }
    slots_.charge(now, warps, [this](unsigned schedulers) {
        if (!units_on_ || schedulers == 0) return schedulers;
        const std::uint64_t could = issuable();
        unsigned free = 0;
        for (unsigned s = 0; s < schedulers_; ++s)
            if (units_.could_issue(s, could & members(s), slots_.from()) != 0) free |= 1U << s;
        return free & schedulers;
    });
}

std::string Sm::disagreement() {
    const std::uint64_t all = slots_.from() * schedulers_, memory = slots_.counts()[SlotCause::memory];
    if (memory <= all) return ""; // what is left is not below 0
    return fmt::format("more slots of its schedulers are charged than {} cycles have: {}", slots_.from(), all - memory);
}

} // namespace numavp
