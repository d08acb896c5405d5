#include "tests/tlm-links/pin_join.h"

#include "base/time/sim_time.h"

namespace numavp::test {

void PinJoin::settle(const rtl::AxiManagerPins& pins) {
    cycle();
    m_ = pins;
    if (bridge) bridge->wake();
}

void PinJoin::settle(const rtl::AxiSubordinatePins& pins) {
    cycle();
    s_ = pins;
}

/// Whether a valid is seen in the next cycle.
bool PinJoin::show(bool valid, bool taken, bool& shown) {
    if (taken) shown = false;
    shown = valid && (shown || rng_.below(256) >= stall_);
    return shown;
}

void PinJoin::cycle() {
    const std::uint64_t now = sc_now_ps();
    if (ps_ == now) return;
    ps_ = now;
    const rtl::AxiManagerPins m = seen_m_;
    const rtl::AxiSubordinatePins s = seen_s_;
    seen_m_ = m_;
    seen_s_ = s_;
    seen_m_.aw.valid = show(m_.aw.valid, m.aw.valid && s.awready, shown_[0]);
    seen_m_.w.valid = show(m_.w.valid, m.w.valid && s.wready, shown_[1]);
    seen_s_.b.valid = show(s_.b.valid, s.b.valid && m.bready, shown_[2]);
    seen_m_.ar.valid = show(m_.ar.valid, m.ar.valid && s.arready, shown_[3]);
    seen_s_.r.valid = show(s_.r.valid, s.r.valid && m.rready, shown_[4]);
    seen_s_.awready = s_.awready && seen_m_.aw.valid;
    seen_s_.wready = s_.wready && seen_m_.w.valid;
    seen_s_.arready = s_.arready && seen_m_.ar.valid;
    seen_m_.bready = m_.bready && seen_s_.b.valid;
    seen_m_.rready = m_.rready && seen_s_.r.valid;
}

} // namespace numavp::test
