/// Between an AXI4-Lite manager and a bridge: holds every channel back at random, as the protocol allows, and shows the
/// manager's own pins to a monitor.
#pragma once

#include "base/values/rng.h"
#include "tlm-links/axi_lite/axi_lite_monitor.h"

namespace numavp::test {

class StallingPins final : public rtl::AxiLiteManager {
  public:
    StallingPins(rtl::AxiLiteManager& manager, std::uint64_t seed) : manager_(manager), random_(seed) {}

    void edge() override {
        monitor.observe(manager_.pins(), to_manager_);
        answered += (to_manager_.r.valid && manager_.pins().rready) + (to_manager_.b.valid && manager_.pins().bready);
        // What is shown and not taken stays, and so does what the manager sees and has not taken.
        keep(aw_, out_.aw.valid && !in_.awready);
        keep(w_, out_.w.valid && !in_.wready);
        keep(ar_, out_.ar.valid && !in_.arready);
        keep(b_, to_manager_.b.valid && !manager_.pins().bready);
        keep(r_, to_manager_.r.valid && !manager_.pins().rready);
        manager_.edge();
    }
    void settle(const rtl::AxiLiteSubordinatePins& pins) override {
        in_ = to_manager_ = pins;
        to_manager_.awready &= aw_;
        to_manager_.wready &= w_;
        to_manager_.arready &= ar_;
        to_manager_.b.valid &= b_;
        to_manager_.r.valid &= r_;
        manager_.settle(to_manager_);
        out_ = manager_.pins();
        out_.aw.valid &= aw_;
        out_.w.valid &= w_;
        out_.ar.valid &= ar_;
        out_.bready &= b_;
        out_.rready &= r_;
    }
    const rtl::AxiLiteManagerPins& pins() const override { return out_; }
    bool idle() const override { return manager_.idle(); }
    void interrupt(bool level) override { manager_.interrupt(level); }

    AxiLiteMonitor monitor{2'000};
    std::uint64_t answered = 0; ///< accesses

  private:
    void keep(bool& open, bool must) { open = (open && must) || random_.chance(1, 3); }

    rtl::AxiLiteManager& manager_;
    Rng random_;
    rtl::AxiLiteSubordinatePins in_, to_manager_;
    rtl::AxiLiteManagerPins out_;
    bool aw_ = false, w_ = false, ar_ = false, b_ = false, r_ = false; ///< open
};

} // namespace numavp::test
