/// Memory operations of an SM that wait for a translation: in order within a warp, independent between warps.
///
/// Plain C++. A warp's first operation waits for a page or is ready; its others wait behind it. Ready operations go in
/// the order in which they became ready. A translation is stored with each operation that waited for it, so that it can
/// go on even if the page leaves the TLB at once.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/values/types.h"
#include "models/mmu/translation.h"

namespace numavp {

class WaitingOperations {
  public:
    static constexpr unsigned kNone = ~0U;
    WaitingOperations(unsigned places, unsigned warps);

    bool full() const { return free_.empty(); }
    unsigned held() const { return static_cast<unsigned>(slots_.size() - free_.size()); }
    bool has(unsigned warp) const { return last_[warp] != kNone; }
    /// Gives an operation of the warp a place behind the warp's others; there must be a free place.
    unsigned enter(unsigned warp);
    /// Makes the warp's first operation wait for a page since `now_ps`. True if no other waits for that page.
    bool wait(unsigned place, std::uint64_t page, std::uint64_t now_ps);
    /// Takes a page's translation: operations that wait for it become ready. Calls `waited(since_ps)` for each.
    template <class Waited> void arrived(std::uint64_t page, Translation entry, const Waited& waited) {
        std::size_t kept = 0;
        for (const unsigned place : waiting_) {
            Slot& slot = slots_[place];
            if (slot.page != page) {
                waiting_[kept++] = place;
                continue;
            }
            slot.entry = entry;
            slot.answered = true;
            ready_.push_back(place);
            waited(slot.since_ps);
        }
        waiting_.resize(kept);
    }
    /// Makes translations of the page that operations hold invalid.
    void forget(std::uint64_t page);
    unsigned ready() const { return static_cast<unsigned>(ready_.size()); }
    unsigned first_ready() const { return ready_.front(); }
    /// The translation that the operation at `place` holds; null if it holds none for `page`.
    const Translation* answer(unsigned place, std::uint64_t page) const {
        const Slot& slot = slots_[place];
        return slot.answered && slot.page == page ? &slot.entry : nullptr;
    }
    /// Removes the first ready operation, which has made its accesses; the next of its warp becomes ready.
    void leave();
    /// Makes the first ready operation wait for another page. True if no other operation waits for that page.
    bool wait_again(std::uint64_t page, std::uint64_t now_ps);

  private:
    struct Slot {
        std::uint64_t page = kNever, since_ps = 0;
        Translation entry;
        unsigned warp = 0, next = kNone; ///< behind it in its warp
        bool answered = false;
    };
    std::vector<Slot> slots_;
    std::vector<unsigned> free_;
    std::vector<unsigned> last_;    ///< of each warp
    std::vector<unsigned> waiting_; ///< for pages, in the order in which they came
    std::deque<unsigned> ready_;
};

} // namespace numavp
