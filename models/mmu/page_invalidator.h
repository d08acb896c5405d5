/// Drops pages from a socket's caches: accesses in flight end, L1s drop their lines, the L2 writes them home.
///
/// All SMs begin a new epoch of accesses. When the accesses of the older epoch have ended, none is on its way to a page
/// whose translation was dropped before. Invalidations that come while an epoch ends share the next one.
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
    /// `done` is called in `step()` for each page that has left the caches; `wake` is called when step() has work.
    PageInvalidator(std::uint64_t page_bytes, std::function<void(std::uint64_t page)> done, std::function<void()> wake)
        : page_bytes_(page_bytes), done_(std::move(done)), wake_(std::move(wake)) {}
    void connect(TranslationUser& user) { users_.push_back(&user); }
    void connect(L2Slice& slice) { slices_.push_back(&slice); }

    /// Begins an invalidation; the page must be in no TLB any more.
    void start(const PageInvalidation& page);
    void epoch_ended();
    /// Advances all invalidations; call it in an arbitration pass.
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
    std::vector<std::uint64_t> gone_;      ///< that have left the caches; `done` is to be called
};

} // namespace numavp
