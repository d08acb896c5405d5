// Flushes of a slice, and its state for the report of a stuck machine.
#include <utility>

#include <fmt/format.h>

#include "models/cache/l2_slice.h"

namespace numavp {

void L2Slice::ask_flush(SliceFlush::Request flush) {
    unsettle();
    if (!flush_.ask(std::move(flush))) return;
    ++counts_.flushes;
    if (copies_) copies_->begin_flush();
    counts_.invalidated += flush_.begin(flush_scope(), table_, [this](std::uint64_t line) { return is_remote(line); });
    wake();
}

void L2Slice::step_flush() {
    const auto write = [this](unsigned frame, unsigned entry) { evict(frame, entry); };
    const SliceFlush::Step step = flush_.step(table_, write);
    if (step == SliceFlush::Step::wrote) return wake(); // one line a cycle
    if (step == SliceFlush::Step::waits || (copies_ && copies_->flush_waits())) return;
    const std::function<void()> done = flush_.end();
    done();
    for (SliceFlush::Request& next : flush_.take_queued()) ask_flush(std::move(next));
}

bool L2Slice::drained() const {
    return table_.in_use() == 0 && inlets_[kCore].empty() && inlets_[kHome].empty() && replays_[kCore].empty() &&
           replays_[kHome].empty() && responses_[kCore].empty() && responses_[kHome].empty() && to_mem_.empty() &&
           to_link_.empty() && !flush_.running() && (!copies_ || copies_->waiting() + copies_->under_way() == 0);
}

std::string L2Slice::waiting_for() const {
    for (const Entry& e : table_.entries())
        if (e.state != State::idle)
            return fmt::format("{} entries, the first {} line {:#x} {}", entries_in_use(),
                               e.reading() ? "reading" : "writing", e.line,
                               is_remote(e.line) ? "over the link" : "of its memory");
    if (copies_ && copies_->under_way() != 0)
        return fmt::format("{} recalls that are not acknowledged", copies_->under_way());
    if (copies_ && copies_->waiting() != 0) return fmt::format("room on the link for {} recalls", copies_->waiting());
    if (!inlets_[kCore].empty()) return "its own turn to serve a request of its SMs";
    if (!inlets_[kHome].empty()) return "its own turn to serve a request of another socket";
    if (!responses_[kCore].empty() || !responses_[kHome].empty()) return "room for a response in the crossbar";
    return "";
}

} // namespace numavp
