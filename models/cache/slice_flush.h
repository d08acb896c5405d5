/// Flushes of an L2 slice, one after the other: dirty lines of the scope go home, all its lines are dropped.
///
/// Plain C++, no time. Clean lines go when the flush begins, dirty ones one at a time as the caller steps. Lines that
/// are being fetched are cut (RequestOrder): requests made before the flush are served, but the line is not kept. A
/// flush waits for the writes that are under way when it begins and for those of the frames that it drops, not for
/// writes that begin later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/cache/l2_config.h"
#include "models/cache/request_order.h"

namespace numavp {

/// Lines of an L2 that a kernel boundary or a system-scope fence flushes.
enum class FlushScope : std::uint8_t { none, remote, all };
inline FlushScope flush_scope_of(const L2Config& config) {
    if (!config.invalidate) return FlushScope::none;
    switch (config.role().dropped) {
    case DroppedLines::none: return FlushScope::none;
    case DroppedLines::remote: return FlushScope::remote;
    case DroppedLines::replicas:
        if (!config.replicas) return FlushScope::none;
        return config.flushes_all ? FlushScope::all : FlushScope::remote;
    case DroppedLines::all: break;
    }
    return config.flush_local ? FlushScope::all : FlushScope::remote;
}

class SliceFlush {
  public:
    struct Request {
        std::uint64_t first = 0, bytes = 0; ///< lines in [first, first + bytes); no bytes: the organisation's scope
        std::function<void()> done;
    };
    enum class Step : std::uint8_t {
        waits, ///< for an entry, for a fill of a line that it has to write, or for writes under way
        wrote, ///< one line
        over   ///< all lines are dropped and written
    };

    bool running() const { return running_; }
    /// True: it runs from now on, and the caller calls begin(). False: it follows the one that runs.
    bool ask(Request request) {
        if (running_) {
            queued_.push_back(std::move(request));
            return false;
        }
        now_ = std::move(request);
        running_ = true;
        frames_.clear();
        next_ = 0;
        writes_ = 0;
        return true;
    }
    /// Drops the clean lines of the scope or the range from a LineTable, cuts its fills, and counts its writes. Returns
    /// the number of lines that the flush drops. `is_remote(line)` tells whose memory a line is of.
    template <class Table, class IsRemote>
    std::uint64_t begin(FlushScope scope, Table& table, const IsRemote& is_remote) {
        if (now_.bytes == 0 && scope == FlushScope::none) return 0;
        auto& tags = table.tags();
        const bool remote_only = now_.bytes == 0 && scope == FlushScope::remote;
        std::uint64_t dropped = 0;
        if (now_.bytes != 0) {
            dropped = tags.sweep(now_.first, now_.bytes, frames_);
        } else {
            dropped = tags.count_valid(true) + (remote_only ? 0 : tags.count_valid(false));
            tags.sweep(remote_only, frames_);
        }
        // Remote lines first: their homes may be waiting for them.
        std::stable_partition(frames_.begin(), frames_.end(), [&](std::uint32_t f) { return tags.remote(f); });
        for (auto& e : table.entries()) {
            if (e.state == RequestOrder::State::idle || !covers(e.line)) continue;
            if (!remote_only || is_remote(e.line)) e.cut(e.targets.size());
            if (e.state == RequestOrder::State::write) wait_for(e);
        }
        return dropped;
    }
    /// Writes the next dirty line, or drops it if it is clean by now: `write(frame, entry)` starts the write in an
    /// acquired entry and frees the frame.
    template <class Table, class Write> Step step(Table& table, const Write& write) {
        auto& tags = table.tags();
        for (; next_ < frames_.size(); ++next_) {
            const std::uint32_t frame = frames_[next_];
            const std::uint64_t line = tags.line_at(frame);
            if (tags.valid(frame) && !covers(line)) continue; // another line has taken its place
            if (!table.must_be_written(frame)) {
                tags.invalidate(frame);
                continue;
            }
            if (table.pending(line) != Table::kNone) return Step::waits; // a fill of a partly written line ends first
            const unsigned entry = table.acquire(line, RequestOrder::State::write, false);
            if (entry == Table::kNone) return Step::waits;
            write(frame, entry);
            ++next_;
            return Step::wrote;
        }
        return writes_ != 0 ? Step::waits : Step::over;
    }
    /// A write of a line begins. Until the flush has come to all its frames any write of a covered line may carry bytes
    /// of one.
    template <class Entry> void write_begins(Entry& e) {
        if (running_ && next_ < frames_.size() && covers(e.line)) wait_for(e);
    }
    template <class Entry> void write_ended(const Entry& e) {
        if (e.flushing) --writes_;
    }
    /// Ends the flush after Step::over; the caller calls the result, then asks for take_queued() in its order.
    std::function<void()> end() {
        running_ = false;
        return std::move(now_.done);
    }
    std::vector<Request> take_queued() { return std::exchange(queued_, {}); }

  private:
    bool covers(std::uint64_t line) const { return now_.bytes == 0 || line - now_.first < now_.bytes; }
    template <class Entry> void wait_for(Entry& e) {
        e.flushing = true;
        ++writes_;
    }
    bool running_ = false;
    unsigned writes_ = 0;               ///< that it waits for
    std::size_t next_ = 0;              ///< of frames_
    std::vector<std::uint32_t> frames_; ///< with dirty lines, when it began
    Request now_;
    std::vector<Request> queued_;
};

} // namespace numavp
