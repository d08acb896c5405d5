#include "models/fault_server/core_timer.h"

namespace numavp {

std::uint64_t CoreTimer::peek_register(std::size_t index) const {
    return static_cast<TimerRegister>(index) == TimerRegister::mtime ? now_ns() : compare_ns_;
}

void CoreTimer::write_register(std::size_t index, std::uint64_t value) {
    if (static_cast<TimerRegister>(index) != TimerRegister::mtimecmp) return;
    compare_ns_ = value;
    compare();
}

std::uint64_t CoreTimer::ps_left() const {
    const unsigned __int128 at = static_cast<unsigned __int128>(compare_ns_) * 1000;
    const std::uint64_t now = domain_.clockwork().now_ps();
    return at <= now || at >= kNever ? kNever : static_cast<std::uint64_t>(at) - now;
}

void CoreTimer::compare() {
    if (!core_) return; // a foreign driver has a clock of its own
    core_->timer_interrupt(now_ns() >= compare_ns_);
    const std::uint64_t left = ps_left();
    if (left == kNever) return;
    // The first edge at or after that time; a time beyond the range of edges never comes.
    const unsigned __int128 cycles =
        (static_cast<unsigned __int128>(left) * domain_.khz() + 999'999'999) / 1'000'000'000;
    if (cycles < kNever / 2) wake_at(domain_.now() + static_cast<Cycle>(cycles));
}

} // namespace numavp
