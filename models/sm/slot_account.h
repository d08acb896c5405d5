/// Use of the issue slots of an SM's schedulers: each scheduler has one slot a cycle, which is charged to one
/// cause.
///
/// A slot in which nothing is issued is charged to the wait of the warp that is nearest to issue: that of the first
/// cause in the order of SlotCause that any warp of the scheduler has. Accel-Sim's shader_cycle_distro has the same
/// order (pipeline stalled, then waiting for registers, then idle), with the second split here by the source of
/// the register's value, and barriers apart. Nsight Compute's stall reasons count every warp instead, so that one slot
/// has as many as there are warps.
///
/// An SM acts only at events, so cycles are charged an interval at a time, from one event to the next: the waits of
/// warps do not change in between. No SystemC, time as cycles.
#pragma once

#include <array>
#include <cstdint>

#include "base/values/name_table.h"
#include "base/values/types.h"

namespace numavp {

enum class SlotCause : std::uint8_t {
    issued,
    unit_busy,
    queue_full,
    dependence,
    memory,
    translation,
    barrier,
    no_warp
};
inline constexpr unsigned kSlotCauseCount = 8;

inline constexpr NameTable<SlotCause> kSlotCauses{
    "cause",
    {{SlotCause::issued, "issued", "A warp instruction was issued; a repeated one takes a slot for each repetition."},
     {SlotCause::unit_busy, "unit_busy", "A warp could issue, but its execution unit was busy."},
     {SlotCause::queue_full, "queue_full", "A warp could issue, but the load-store unit's queue was full."},
     {SlotCause::dependence, "dependence",
      "A warp waited for a result of arithmetic, or for the cycle between its start or a barrier's end and its issue."},
     {SlotCause::memory, "memory", "A warp waited for a register that a load, an atomic or shared memory gives."},
     {SlotCause::translation, "translation",
      "All warps that waited for memory had an instruction that waited for a page: L2 TLB, walk or fault."},
     {SlotCause::barrier, "barrier", "All warps waited at a barrier or a fence."},
     {SlotCause::no_warp, "no_warp", "The scheduler had no warp: no block was there."}}};

struct SlotCounts {
    std::array<std::uint64_t, kSlotCauseCount> slots{}; ///< by cause
    std::uint64_t warp_cycles = 0;                      ///< resident warps, summed over cycles
    Cycle last_warp = 0;                                ///< when the last warp so far ended, 0: none has

    std::uint64_t& operator[](SlotCause cause) { return slots[static_cast<std::size_t>(cause)]; }
    std::uint64_t operator[](SlotCause cause) const { return slots[static_cast<std::size_t>(cause)]; }
};

/// Contract. Warp w belongs to scheduler w % schedulers; cycles ascend. Call `charge(now)`, or `skip(now)`, before any
/// state of a warp changes at `now`, and issued() or resident() after it for the changes at `now`.
///
/// Of slots that wait for memory only those that wait for a page are charged at once; counts() computes the others as
/// the slots that are left.
class SlotAccount {
  public:
    explicit SlotAccount(unsigned schedulers)
        : schedulers_(schedulers), all_((1U << schedulers) - 1), folds_((64 % schedulers) == 0) {}

    /// Waits of the warps since from(), a bit each. A resident warp in none of the first four sets waits for memory.
    struct Warps {
        std::uint64_t ready;      ///< could issue if unit and queue take them
        std::uint64_t for_queue;  ///< of those, the ones that wait for the load-store unit's queue
        std::uint64_t dependent;  ///< for arithmetic; may have warps of `ready` and `at_barrier`, which count there
        std::uint64_t at_barrier; ///< or a fence
        std::uint64_t resident;
        std::uint64_t untranslated; ///< warps waiting for memory with an instruction that waits for a page
    };
    /// First cycle that is not charged yet.
    Cycle from() const { return from_; }
    /// Charges the cycles before `now`. `unit_free(schedulers)` returns those of a set of schedulers that have a ready
    /// warp whose unit and queue were free at from().
    template <class UnitFree> void charge(Cycle now, const Warps& warps, UnitFree unit_free);
    /// Charges the cycles before `now` if all warps wait for memory, and none of them for a page.
    void skip(Cycle now) {
        from_ = now;
        issued_ = 0;
    }
    /// A scheduler issued in the cycle from().
    void issued(unsigned scheduler) {
        issued_ |= 1U << scheduler;
        ++issued_slots_;
    }
    /// Besides issued(scheduler): the scheduler also issues in every later cycle until `until` (a repeated one).
    void issued(unsigned scheduler, Cycle until) {
        until_[scheduler] = until;
        if (until > busy_) busy_ = until;
        issued_slots_ += until - from_ - 1;
    }
    /// Sets the resident warps from the cycle from() on.
    void resident(std::uint64_t warps);
    /// Counts of the cycles before from().
    SlotCounts counts() const;

  private:
    using Set = unsigned; ///< of schedulers, a bit each

    Set schedulers_of(std::uint64_t warps) const {
        if (schedulers_ == 1) return warps != 0 ? 1 : 0;
        if (!folds_) return gather(warps);
        warps |= warps >> 32;
        warps |= warps >> 16;
        warps |= warps >> 8;
        if (schedulers_ == 4) return static_cast<Set>(warps | warps >> 4) & 15; // as most SMs have
        if (schedulers_ == 2) {
            warps |= warps >> 4;
            warps |= warps >> 2;
        }
        return static_cast<Set>(warps) & all_;
    }
    static std::uint64_t size(Set set) { return kSizes[set]; }
    /// Charges the slots of a set of schedulers until `now`, except those in which they issued.
    void add(SlotCause cause, Set set, Cycle now) {
        if (busy_ > from_)
            add_rest(cause, set, now);
        else
            charged_[cause] += (now - from_) * size(set) - size(set & issued_);
    }
    Set gather(std::uint64_t warps) const;
    void add_rest(SlotCause cause, Set set, Cycle now);

    static constexpr std::array<std::uint8_t, 256> kSizes = [] {
        std::array<std::uint8_t, 256> sizes{};
        for (unsigned i = 1; i < 256; ++i) sizes[i] = static_cast<std::uint8_t>(sizes[i / 2] + i % 2);
        return sizes;
    }();

    Cycle from_ = 0;
    Set issued_ = 0; ///< in the cycle from_
    unsigned schedulers_;
    Cycle busy_ = 0; ///< the last of `until_`
    Set all_;
    bool folds_;                     ///< a power of two of schedulers
    std::uint64_t issued_slots_ = 0; ///< those to come of repeated instructions, and of from_, included
    SlotCounts charged_;             ///< without `issued` and `memory`; people until people_since_
    Cycle people_since_ = 0;
    Set peopled_ = 0; ///< schedulers with warps
    Set left_ = 0;    ///< of those without: left by their last warp with an issue in the cycle people_since_
    unsigned resident_ = 0;
    std::array<Cycle, 8> until_{}; ///< by scheduler: its repeated instruction is issued until then
};

template <class UnitFree> void SlotAccount::charge(Cycle now, const Warps& warps, UnitFree unit_free) {
    Set nearer = 0; // schedulers that are charged
    if (warps.ready != 0) {
        nearer = schedulers_of(warps.ready);
        if (now - from_ > 1 || (nearer & ~issued_) != 0) {
            const std::uint64_t rest = warps.ready & ~warps.for_queue;
            const Set others = rest == warps.ready ? nearer : (rest == 0 ? 0 : schedulers_of(rest));
            if (others != nearer) add(SlotCause::queue_full, nearer & ~others, now);
            if (others != 0) {
                const Set released = unit_free(others); // ready after the scheduler's turn in this cycle
                if (released != others) add(SlotCause::unit_busy, others & ~released, now);
                if (released != 0) add(SlotCause::dependence, released, now);
            }
        }
    }
    if (warps.dependent != 0 && nearer != all_) {
        const Set dependent = schedulers_of(warps.dependent & ~(warps.ready | warps.at_barrier)) & ~nearer;
        nearer |= dependent;
        add(SlotCause::dependence, dependent, now);
    }
    if (warps.untranslated != 0) {
        const std::uint64_t waiting = warps.resident & ~(warps.ready | warps.dependent | warps.at_barrier);
        const Set translated = schedulers_of(waiting & ~warps.untranslated);
        add(SlotCause::translation, schedulers_of(waiting & warps.untranslated) & ~(nearer | translated), now);
    }
    if (warps.at_barrier != 0) {
        const std::uint64_t for_memory = warps.resident & ~(warps.ready | warps.dependent | warps.at_barrier);
        add(SlotCause::barrier, schedulers_of(warps.at_barrier) & ~(nearer | schedulers_of(for_memory)), now);
    }
    skip(now);
}

} // namespace numavp
