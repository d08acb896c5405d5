/// Go-back-N cycle by cycle, written down as a sender and a receiver would do it: the reference of RetryLine's tests.
///
/// The line carries a unit a cycle. The sender transmits what its buffer holds, then takes new items while there is
/// room for the largest one; a request to repeat makes it break off and go back. The receiver takes the item that it
/// expects, unless it is wrong, and drops all others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/values/types.h"
#include "tlm-links/retry/error_distance.h"

namespace numavp::test {

struct GoBackItem {
    Cycle comes = 0; ///< from then on the sender may take it
    unsigned units = 1;
};

class GoBackLine {
  public:
    GoBackLine(std::vector<GoBackItem> items, Cycle round_trip, unsigned largest, std::uint64_t buffer,
               unsigned bits_per_unit, ErrorDistance errors)
        : taken_at(items.size()), left_at(items.size()), items_(std::move(items)), round_trip_(round_trip),
          largest_(largest), buffer_(buffer), bits_(bits_per_unit), errors_(errors) {}

    void run() {
        for (Cycle now = 0; expected_ < items_.size(); ++now) {
            answers(now);
            if (left_ == 0) begin(now);
            if (left_ == 0) continue;
            ++busy;
            if (--left_ == 0) arrive(now + 1);
        }
    }

    std::vector<Cycle> taken_at; ///< by the sender
    std::vector<Cycle> left_at;  ///< for the last time
    std::uint64_t errors_seen = 0, starts = 0, busy = 0, stalls = 0;

  private:
    void answers(Cycle now) {
        for (; !acknowledged_.empty() && acknowledged_.front() <= now; acknowledged_.pop_front())
            held_ -= items_[oldest_++].units;
        if (asked_at_ != now) return;
        next_ = expected_;
        left_ = 0; // broken off
    }
    void begin(Cycle now) {
        if (next_ == newest_) {
            if (newest_ == items_.size() || items_[newest_].comes > now) return;
            if (held_ + largest_ > buffer_) {
                ++stalls;
                return;
            }
            taken_at[newest_] = now;
            held_ += items_[newest_++].units;
        }
        sending_ = next_++;
        left_ = items_[sending_].units;
        ++starts;
    }
    void arrive(Cycle at) {
        if (sending_ != expected_ || (asked_at_ != kNever && asked_at_ >= at)) return; // dropped
        if (errors_.hits(std::uint64_t{items_[sending_].units} * bits_)) {
            ++errors_seen;
            asked_at_ = at + round_trip_;
            return;
        }
        left_at[expected_++] = at;
        acknowledged_.push_back(at + round_trip_);
    }

    const std::vector<GoBackItem> items_;
    const Cycle round_trip_;
    const unsigned largest_;
    const std::uint64_t buffer_;
    const unsigned bits_;
    ErrorDistance errors_;
    std::size_t oldest_ = 0, next_ = 0, newest_ = 0; ///< of the buffer: its first item, the next one, behind its last
    std::size_t expected_ = 0, sending_ = 0;
    std::uint64_t held_ = 0;
    unsigned left_ = 0; ///< units of the item that is under way
    Cycle asked_at_ = kNever;
    std::deque<Cycle> acknowledged_;
};

} // namespace numavp::test
