// Faults of walks: asked of whoever places pages, held while it has no room, resolved.
#include "models/mmu/socket_mmu.h"

namespace numavp {

/// Reports a fault. True: it was resolved at once.
bool SocketMmu::ask(unsigned number, bool read_only) {
    Walk& walk = walks_[number];
    const bool held = walk.state == State::held;
    walk.state = State::asking;
    walk.again = false;
    if (!sink_.fault({walk.page, reader(walk), walk.write || read_only, read_only})) {
        walk.state = State::held;
        if (held) return false;
        held_.push_back(number);
        ++counts_.held;
        return false;
    }
    ++counts_.faults;
    counts_.read_only += read_only;
    if (walk.again) {
        walk.state = State::walking;
        walk.again = false;
        return true;
    }
    walk.state = State::faulted;
    ++faulted_;
    counts_.walk_ps.add(domain_.clockwork().now_ps() - walk.since_ps);
    if (config_.mode == TranslationMode::full) --active_;
    if (!queue_.empty()) wake();
    return false;
}

/// In the order in which they came. Another socket's fault for the same page may have been served meanwhile.
void SocketMmu::ask_held() {
    room_ = false;
    while (!held_.empty()) {
        const unsigned number = held_.front();
        const Walk& walk = walks_[number];
        Translation entry;
        const bool mapped = table_.find(walk.page, reader(walk), entry);
        const bool read_only = mapped && entry.read_only && walk.writes;
        bool again = mapped && !read_only;
        if (!again) {
            again = ask(number, read_only);
            if (walks_[number].state == State::held) return;
        }
        held_.pop_front();
        if (again) from_root(number);
    }
}

void SocketMmu::resolved(std::uint64_t page) {
    if (unit_ != nullptr && unit_ != this) return unit_->resolved(page);
    const auto at = by_page_.find(page);
    if (at == by_page_.end()) return;
    Walk& walk = walks_[at->second];
    switch (walk.state) {
    case State::asking: walk.again = true; return;
    case State::faulted:
        --faulted_;
        walk.state = State::queued;
        queue_.push_back(at->second);
        return wake();
    case State::held: return room();
    case State::queued:
    case State::walking: return;
    }
}

void SocketMmu::room() {
    if (unit_ != nullptr && unit_ != this) return unit_->room();
    room_ = true;
    wake();
}

} // namespace numavp
