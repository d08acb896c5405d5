/// Who of an SM's operations waits for which page: in order within a warp, the warps apart. Plain C++.
///
/// A warp's first operation waits for a page or is ready; the others wait behind it. Those that are ready go in the
/// order in which they became so. An answer stays with the operations that waited for it, so that each gets on even
/// if its page leaves the TLB at once.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/base/types.h"
#include "models/paging/page_table.h"

namespace numavp {

class WaitingOperations {
  public:
    static constexpr unsigned kNone = ~0U;
    WaitingOperations(unsigned places, unsigned warps);

    bool full() const { return free_.empty(); }
    unsigned held() const { return static_cast<unsigned>(slots_.size() - free_.size()); }
    bool has(unsigned warp) const { return last_[warp] != kNone; }
    /// Gives an operation of the warp a place, behind the warp's others; there is one.
    unsigned enter(unsigned warp);
    /// The warp's first operation at `place` waits for a page, since `now_ps`. True if no other does.
    bool wait(unsigned place, std::uint64_t page, std::uint64_t now_ps);
    /// The page's answer: those who wait for it are ready. Calls `waited(since_ps)` for each.
    template <class Waited> void arrived(std::uint64_t page, PageEntry entry, const Waited& waited) {
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
    /// Answers for the page are not valid any more.
    void forget(std::uint64_t page);
    unsigned ready() const { return static_cast<unsigned>(ready_.size()); }
    unsigned first_ready() const { return ready_.front(); }
    /// The answer that the operation at `place` waited for; null if it is for another page.
    const PageEntry* answer(unsigned place, std::uint64_t page) const {
        const Slot& slot = slots_[place];
        return slot.answered && slot.page == page ? &slot.entry : nullptr;
    }
    /// The first that is ready has been made: its place is free, and the next of its warp is ready.
    void leave();
    /// The first that is ready needs another page. True if no other waits for that.
    bool wait_again(std::uint64_t page, std::uint64_t now_ps);

  private:
    struct Slot {
        std::uint64_t page = kNever, since_ps = 0;
        PageEntry entry;
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
