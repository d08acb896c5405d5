#include "models/cpu/host_cursor.h"

#include <algorithm>

namespace numavp {

void HostCursor::begin(const HostPhase& phase) {
    phase_ = &phase;
    draws_.clear();
    for (std::size_t a = 0; a < phase.accesses.size(); ++a) draws_.emplace_back(phase.seed, a);
    done_ = inside_ = false;
    part_ = Part::reads;
    item_ = operations_of_item_ = 0;
    access_ = 0;
    next();
}

/// The next line of the element that is accessed, or of the next access of this part; false if it has none left.
bool HostCursor::find_line() {
    const std::vector<HostAccess>& accesses = phase_->accesses;
    for (; access_ < accesses.size(); ++access_) {
        const HostAccess& access = accesses[access_];
        if (part_ == Part::reads ? !access.reads() : !access.writes()) continue;
        if (!inside_) {
            at_ = access.address(item_, draws_[access_]);
            end_ = at_ + access.element_bytes;
            inside_ = true;
        }
        if (at_ == end_) {
            inside_ = false;
            continue;
        }
        const std::uint64_t line = at_ & ~std::uint64_t{kLineBytes - 1};
        const std::uint64_t last = std::min(end_, line + kLineBytes);
        operation_.line = line;
        operation_.mask = ByteMask::range(static_cast<unsigned>(at_ - line), static_cast<unsigned>(last - at_));
        at_ = last;
        return true;
    }
    access_ = 0;
    return false;
}

/// Of this item; false if it has none left.
bool HostCursor::find_operation() {
    if (part_ == Part::reads) {
        operation_.kind = HostOperation::Kind::load;
        if (find_line()) return true;
        part_ = Part::compute;
        operation_.kind = HostOperation::Kind::compute;
        return true;
    }
    part_ = Part::writes;
    operation_.kind = HostOperation::Kind::store;
    return find_line();
}

void HostCursor::next() {
    for (; item_ < phase_->items; ++item_) {
        if (find_operation()) {
            operation_.first = operations_of_item_ == 0;
            operation_.number = item_ * phase_->instructions + std::min(operations_of_item_, phase_->instructions - 1);
            ++operations_of_item_;
            return;
        }
        part_ = Part::reads;
        operations_of_item_ = 0;
    }
    done_ = true;
}

} // namespace numavp
