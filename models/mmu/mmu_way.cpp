#include "models/mmu/mmu_way.h"

#include <algorithm>
#include <utility>

#include "models/mmu/socket_mmu.h"

namespace numavp {

MmuWay::MmuWay(ClockDomain& domain, Rank rank, unsigned cycles, std::vector<TranslationUser*> users)
    : Arbiter(domain, rank), cycles_(cycles), users_(std::move(users)) {
    arrival_.way = this;
}

void MmuWay::connect(SocketMmu& unit, SocketId socket) {
    unit_ = &unit;
    for (unsigned sm = 0; sm < users_.size(); ++sm) {
        Far& far = far_.emplace_back();
        far.way = this;
        far.sm = sm;
        const unsigned number = unit.serve(far, socket);
        if (sm == 0) first_ = number;
    }
}

MmuWay::Message& MmuWay::message(unsigned sm, std::uint64_t page) {
    if (free_.empty()) free_.push_back(&messages_.emplace_back());
    Message& m = *free_.back();
    free_.pop_back();
    m.handler = &arrival_;
    m.sm = sm;
    m.page = page;
    m.answers = m.old = false;
    return m;
}

void MmuWay::ask(unsigned sm, std::uint64_t page, bool write) {
    Message& m = message(sm, page);
    m.write = write;
    send(m);
}

void MmuWay::answer(unsigned sm, std::uint64_t page, Translation entry) {
    Message& m = message(sm, page);
    m.entry = entry;
    m.answers = true;
    send(m);
}

void MmuWay::arrived(Message& m) {
    if (m.answers) {
        due_.push_back(&m);
        return wake();
    }
    unit_->asked(first_ + m.sm, m.page, m.write);
    free_.push_back(&m);
}

/// In the order of the SMs, whichever was delivered first.
void MmuWay::arbitrate() {
    std::stable_sort(due_.begin(), due_.end(), [](const Message* a, const Message* b) { return a->sm < b->sm; });
    for (Message* m : std::exchange(due_, {})) {
        free_.push_back(m);
        const unsigned sm = m->sm;
        const std::uint64_t page = m->page;
        if (m->old)
            ask(sm, page, false); // for what, is not known any more; only a list of faults would say it
        else
            users_[sm]->translated(page, m->entry);
    }
}

void MmuWay::forget(std::uint64_t page) {
    for (Message& m : messages_)
        if (m.answers && m.page == page) m.old = true;
}

} // namespace numavp
