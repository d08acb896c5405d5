#include "models/mmu/page_invalidator.h"

#include <memory>
#include <utility>

namespace numavp {

void PageInvalidator::start(const PageInvalidation& page) {
    if (page.mapped)
        asked_.push_back(page);
    else
        gone_.push_back(page.page);
    wake_();
}

void PageInvalidator::epoch_ended() {
    if (--epochs_left_ == 0) wake_();
}

void PageInvalidator::step() {
    while (epochs_left_ == 0 && (!ending_.empty() || !asked_.empty())) {
        for (const PageInvalidation& page : ending_) drop(page);
        ending_ = std::exchange(asked_, {});
        if (ending_.empty()) break;
        for (TranslationUser* user : users_) epochs_left_ += user->new_epoch() ? 1U : 0U;
    }
    for (const std::uint64_t page : std::exchange(gone_, {})) done_(page);
}

void PageInvalidator::drop(const PageInvalidation& page) {
    for (TranslationUser* user : users_) user->drop_lines(page.frame, page_bytes_);
    ++dropping_;
    auto left = std::make_shared<std::size_t>(slices_.size());
    for (L2Slice* slice : slices_)
        slice->flush_range(page.frame, page_bytes_, [this, left, number = page.page] {
            if (--*left != 0) return;
            --dropping_;
            gone_.push_back(number);
            wake_();
        });
}

} // namespace numavp
