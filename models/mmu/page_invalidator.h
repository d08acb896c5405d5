/// How a socket forgets pages: what is in flight ends, L1s drop their lines, the L2 writes them home and drops them.
///
/// All SMs begin a new epoch of accesses; when those of the older epoch have ended, nothing is on its way to a page
/// whose translation was dropped before. Pages that are asked for while an epoch ends take the next one together.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/cache/l2_slice.h"
#include "models/mmu/fault_port.h"
#include "models/mmu/translator.h"

namespace numavp {

class PageInvalidator {
  public:
    /// `done` is called in `step()`; `wake` asks for a step.
    PageInvalidator(std::uint64_t page_bytes, std::function<void(std::uint64_t page)> done, std::function<void()> wake)
        : page_bytes_(page_bytes), done_(std::move(done)), wake_(std::move(wake)) {}
    void connect(TranslationUser& user) { users_.push_back(&user); }
    void connect(L2Slice& slice) { slices_.push_back(&slice); }

    /// The page is in no TLB any more.
    void start(const PageInvalidation& page);
    void epoch_ended();
    /// In arbitration.
    void step();
    bool idle() const { return asked_.empty() && ending_.empty() && dropping_ == 0 && gone_.empty(); }

  private:
    void drop(const PageInvalidation& page);

    std::uint64_t page_bytes_;
    std::function<void(std::uint64_t)> done_;
    std::function<void()> wake_;
    std::vector<TranslationUser*> users_;
    std::vector<L2Slice*> slices_;
    std::vector<PageInvalidation> asked_;
    std::vector<PageInvalidation> ending_; ///< wait for the older epoch
    unsigned epochs_left_ = 0;             ///< SMs with accesses of it
    unsigned dropping_ = 0;                ///< pages that slices write home
    std::vector<std::uint64_t> gone_;      ///< to be told
};

} // namespace numavp
