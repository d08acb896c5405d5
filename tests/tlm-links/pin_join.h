/// Joins a bridge to AXI4 with a bridge from it, pin to pin: each clocks the other's side as if it were a device.
///
/// Both act at the same edges in any order, so that each side sees what the other drove before that time. A valid may
/// be shown late by chance, never withdrawn; so both sides see legal pins, and a monitor may watch either.
#pragma once

#include <systemc>

#include "base/values/rng.h"
#include "tlm-links/axi/axi4_to_tlm.h"

namespace numavp::test {

class PinJoin {
  public:
    /// A valid that is new is held back `stall` of 256 times.
    PinJoin(unsigned stall, std::uint64_t seed) : above{*this}, below{*this}, stall_(stall), rng_(seed) {}

    /// For the bridge to AXI4.
    struct Above final : rtl::AxiSubordinate {
        explicit Above(PinJoin& owner) : join(owner) {}
        PinJoin& join;
        void edge() override {}
        void settle(const rtl::AxiManagerPins& pins) override { join.settle(pins); }
        const rtl::AxiSubordinatePins& pins() const override { return join.cycle(), join.seen_s_; }
    } above;
    /// For the bridge from AXI4.
    struct Below final : rtl::AxiManager {
        explicit Below(PinJoin& owner) : join(owner) {}
        PinJoin& join;
        void edge() override {}
        void settle(const rtl::AxiSubordinatePins& pins) override { join.settle(pins); }
        const rtl::AxiManagerPins& pins() const override { return join.cycle(), join.seen_m_; }
        bool idle() const override { return !join.m_.aw.valid && !join.m_.w.valid && !join.m_.ar.valid; }
    } below;
    /// Woken when there is something to send.
    Axi4ToTlm* bridge = nullptr;

  private:
    void settle(const rtl::AxiManagerPins& pins);
    void settle(const rtl::AxiSubordinatePins& pins);
    /// What was driven before now is what is seen now.
    void cycle();
    bool show(bool valid, bool taken, bool& shown);

    unsigned stall_;
    Rng rng_;
    std::uint64_t ps_ = 0;
    rtl::AxiManagerPins m_, seen_m_; ///< as driven, and as the bridge from AXI4 sees it
    rtl::AxiSubordinatePins s_, seen_s_;
    bool shown_[5] = {}; ///< aw, w, b, ar, r
};

} // namespace numavp::test
