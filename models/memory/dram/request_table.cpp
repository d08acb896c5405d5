#include "models/memory/dram/request_table.h"

namespace numavp {

RequestTable::RequestTable(unsigned banks, unsigned depth) : requests_(2 * depth), lists_(banks) {
    for (unsigned i = 2 * depth; i-- > 0;) free_.push_back(static_cast<MemorySlot>(i));
}

void RequestTable::add(const Request& request, unsigned direction, const std::uint32_t* open_row) {
    const MemorySlot slot = free_.back();
    free_.pop_back();
    List& list = lists_[request.bank].of[direction];
    Request& r = requests_[slot];
    r = request;
    r.next = kNoSlot;
    r.previous = list.youngest;
    (list.youngest == kNoSlot ? list.view.oldest : requests_[list.youngest].next) = slot;
    list.youngest = slot;
    if (list.view.oldest_hit == kNoSlot && open_row != nullptr && *open_row == r.row) list.view.oldest_hit = slot;
    ++sizes_[direction];
}

void RequestTable::remove(MemorySlot slot, unsigned direction) {
    const Request& r = requests_[slot];
    List& list = lists_[r.bank].of[direction];
    if (list.view.oldest != slot) ++list.view.overtakes;
    if (list.view.oldest_hit == slot) list.view.oldest_hit = next_hit(r.next, r.row);
    (r.previous == kNoSlot ? list.view.oldest : requests_[r.previous].next) = r.next;
    (r.next == kNoSlot ? list.youngest : requests_[r.next].previous) = r.previous;
    free_.push_back(slot);
    --sizes_[direction];
}

void RequestTable::opened(unsigned bank, std::uint32_t row) {
    for (List& list : lists_[bank].of) {
        list.view.oldest_hit = next_hit(list.view.oldest, row);
        list.view.overtakes = 0;
    }
}

void RequestTable::closed(unsigned bank) {
    for (List& list : lists_[bank].of) list.view.oldest_hit = kNoSlot;
}

} // namespace numavp
