#include "tlm-links/retry/retry_line.h"

#include <algorithm>

#include "base/values/error.h"

namespace numavp {

RetryLine::RetryLine(const RetryLineConfig& config, ErrorDistance errors)
    : config_(config), errors_(errors), speed_(config.units_per_second) {
    begin_course(0);
}

/// First edge at which the buffer has room for the largest item. Items are acknowledged in their order.
Cycle RetryLine::room_at() const {
    std::uint64_t held = kept_units_;
    Cycle at = 0;
    for (const Kept& item : kept_) {
        if (held + config_.largest_units <= config_.buffer_units) break;
        held -= item.units;
        at = item.acknowledged_at;
    }
    return at;
}

Cycle RetryLine::free_at(Cycle now) const {
    const Cycle room = room_at();
    for (std::size_t i = 0; i + 1 < courses_.size(); ++i) {
        const Cycle at = std::max(courses_[i].line.free_at(), room), ends = courses_[i + 1].begins;
        if (at < ends && now < ends) return at;
    }
    return std::max(courses_.back().line.free_at(), room);
}

/// Time of a course, until `ends`, in which the line was idle since the buffer had no room before `room`.
void RetryLine::count_stall(const Course& course, Cycle ends, Cycle room) {
    if (const Cycle until = std::min(room, ends); until > course.line.free_at())
        counts_.stall_cycles += until - course.line.free_at();
}

void RetryLine::leave_courses(Cycle now, Cycle room) {
    while (courses_.size() > 1 && courses_[1].begins <= now) {
        count_stall(courses_[0], courses_[1].begins, room);
        ended_units_ += courses_[0].line.busy_bytes(courses_[1].begins);
        courses_.pop_front();
    }
    for (; !kept_.empty() && kept_.front().acknowledged_at <= now; kept_.pop_front())
        kept_units_ -= kept_.front().units;
}

Cycle RetryLine::take(Cycle now, unsigned units) {
    const Cycle room = room_at();
    leave_courses(now, room);
    if (units > config_.largest_units || kept_units_ + units > config_.buffer_units)
        throw ModelError("a retry buffer was given more than it holds");
    count_stall(courses_.front(), now, room);
    unsigned sent = 0;
    Cycle first = 0; // its end as if there were no errors ahead
    for (std::size_t i = 0; i + 1 < courses_.size(); ++i) {
        Course& vain = courses_[i];
        if (vain.line.free_at() >= courses_[i + 1].begins) continue; // its turn does not come in this course
        const Cycle end = vain.line.take(std::max(now, vain.begins), units);
        if (sent++ == 0) first = end;
    }
    Cycle end = courses_.back().line.take(std::max(now, courses_.back().begins), units);
    if (sent++ == 0) first = end;
    asked_again_.clear();
    while (errors_.hits(std::uint64_t{units} * config_.bits_per_unit)) {
        ++counts_.errors;
        asked_again_.push_back(end + config_.round_trip_cycles);
        begin_course(asked_again_.back());
        end = courses_.back().line.take(courses_.back().begins, units);
        ++sent;
    }
    counts_.replayed_items += sent - 1;
    counts_.replayed_units += std::uint64_t{sent - 1} * units;
    last_delay_ = end - first;
    counts_.delay_cycles += last_delay_;
    kept_.push_back({end + config_.round_trip_cycles, units});
    kept_units_ += units;
    return end;
}

void RetryLine::set_speed(std::uint64_t units_per_second) {
    speed_ = units_per_second;
    for (Course& course : courses_) course.line.set_capacity(units_per_second);
}

std::uint64_t RetryLine::busy_units(Cycle now) const {
    std::uint64_t sum = ended_units_;
    std::size_t i = 0;
    for (; i + 1 < courses_.size() && courses_[i + 1].begins <= now; ++i)
        sum += courses_[i].line.busy_bytes(courses_[i + 1].begins);
    return sum + courses_[i].line.busy_bytes(now);
}

} // namespace numavp
