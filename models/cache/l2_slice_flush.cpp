// Flushes of a slice, and its state for reports and debuggers.
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "models/cache/l2_slice.h"
#include "models/cache/merge_bytes.h"

namespace numavp {

void L2Slice::ask_flush(Flush flush) {
    unsettle();
    if (flushing_) {
        flush_queued_.push_back(std::move(flush));
        return;
    }
    flush_ = std::move(flush);
    flushing_ = true;
    ++counts_.flushes;
    flush_frames_.clear();
    flush_next_ = 0;
    flush_writes_ = 0;
    if (directory_) begin_recalls_of_flush();
    if (flush_.bytes != 0 || flush_scope() != FlushScope::none) start_flush();
    wake();
}

void L2Slice::start_flush() {
    const bool remote_only = flush_.bytes == 0 && flush_scope() == FlushScope::remote;
    if (flush_.bytes != 0) {
        counts_.invalidated += tags_.sweep(flush_.first, flush_.bytes, flush_frames_);
    } else {
        counts_.invalidated += tags_.count_valid(true) + (remote_only ? 0 : tags_.count_valid(false));
        tags_.sweep(remote_only, flush_frames_);
    }
    // Remote lines first: their homes may be waiting for them.
    std::stable_partition(flush_frames_.begin(), flush_frames_.end(),
                          [this](std::uint32_t f) { return tags_.remote(f); });
    for (Entry& e : entries_) {
        if (e.state == State::idle || !flush_.covers(e.line)) continue;
        if (e.state == State::fill && (!remote_only || is_remote(e.line)) && !e.stale) {
            e.stale = true;
            e.fresh = e.targets.size();
        }
        if (e.state == State::write) {
            e.flushing = true;
            ++flush_writes_;
        }
    }
}

void L2Slice::step_flush() {
    while (flush_next_ < flush_frames_.size()) {
        const std::uint32_t frame = flush_frames_[flush_next_];
        if (tags_.valid(frame) && !flush_.covers(tags_.line_at(frame))) { // another line has taken its place
            ++flush_next_;
            continue;
        }
        if (tags_.valid(frame) && tags_.dirty(frame)) {
            const std::uint64_t line = tags_.line_at(frame);
            const unsigned waiting = pending_.find(line);
            if (waiting != PendingTable::kNone) return; // a fill of a partly written line: it ends first
            const unsigned entry = acquire(line, State::write, kCore);
            if (entry == PendingTable::kNone) return;
            evict(frame, entry);
            ++flush_next_;
            return wake(); // one line a cycle
        }
        tags_.invalidate(frame);
        ++flush_next_;
    }
    if (flush_writes_ != 0 || recalls_of_flush()) return;
    flushing_ = false;
    const std::function<void()> done = std::move(flush_.done);
    done();
    for (Flush& next : std::exchange(flush_queued_, {})) ask_flush(std::move(next));
}

bool L2Slice::drained() const {
    return free_.size() == entries_.size() && inlets_[kCore].empty() && inlets_[kHome].empty() &&
           replays_[kCore].empty() && replays_[kHome].empty() && responses_[kCore].empty() &&
           responses_[kHome].empty() && to_mem_.empty() && to_link_.empty() && !flushing_ &&
           (!directory_ || directory_->waiting() + recalls_out_[0] + recalls_out_[1] == 0);
}

std::string L2Slice::waiting_for() const {
    for (const Entry& e : entries_)
        if (e.state != State::idle)
            return fmt::format("{} entries, the first {} line {:#x} {}", entries_in_use(),
                               e.state == State::fill ? "reading" : "writing", e.line,
                               is_remote(e.line) ? "over the link" : "of its memory");
    if (const unsigned out = recalls_out_[0] + recalls_out_[1]; out != 0)
        return fmt::format("{} recalls that are not acknowledged", out);
    if (directory_ && directory_->waiting() != 0)
        return fmt::format("room on the link for {} recalls", directory_->waiting());
    if (!inlets_[kCore].empty()) return "its own turn to serve a request of its SMs";
    if (!inlets_[kHome].empty()) return "its own turn to serve a request of another socket";
    if (!responses_[kCore].empty() || !responses_[kHome].empty()) return "room for a response in the crossbar";
    return "";
}

bool L2Slice::hold(std::uint64_t line, const unsigned char* data) {
    if (tags_.find(line) >= 0 || pending_.find(line) != PendingTable::kNone) return false;
    const int frame = victim(line, {});
    if (frame < 0) return false;
    const auto f = static_cast<unsigned>(frame);
    if (tags_.valid(f) && tags_.dirty(f)) return false;
    tags_.install(f, line, false, SectorSet::all());
    if (unsigned char* bytes = tags_.data(f)) std::memcpy(bytes, data, kLineBytes);
    unsettle(tags_.set_of(line));
    return true;
}

void L2Slice::debug_overlay(std::uint64_t line, unsigned char* out) {
    const int frame = tags_.find(line);
    if (frame < 0) return;
    const auto f = static_cast<unsigned>(frame);
    if (const unsigned char* data = tags_.data(f))
        merge_bytes(out, data, is_remote(line) ? tags_.dirty_mask(f) : tags_.readable_bytes(f));
}

void L2Slice::debug_patch(std::uint64_t address, std::uint64_t word) {
    const std::uint64_t line = address & ~std::uint64_t{kLineBytes - 1};
    const unsigned entry = pending_.find(line);
    if (entry != PendingTable::kNone && entries_[entry].state == State::fill) {
        const SectorSet changed(1U << address % kLineBytes / kSectorBytes);
        if ((entries_[entry].asked & ~entries_[entry].arrived & changed).any()) patches_.push_back({address, word});
        if (!gathered_.empty()) std::memcpy(gathered(entry) + address % kLineBytes, &word, sizeof word);
    }
    const int frame = tags_.find(line);
    if (frame < 0) return;
    if (unsigned char* data = tags_.data(static_cast<unsigned>(frame)))
        std::memcpy(data + address % kLineBytes, &word, sizeof word);
}

/// A line that was read before its memory was changed.
void L2Slice::patch(Txn& child) {
    for (std::size_t i = 0; i < patches_.size();) {
        const Patch& p = patches_[i];
        if (p.address - child.line >= kLineBytes || !child.mask.test(static_cast<unsigned>(p.address - child.line))) {
            ++i;
            continue;
        }
        std::memcpy(&child.data[p.address - child.line], &p.word, sizeof p.word);
        patches_.erase(patches_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

} // namespace numavp
