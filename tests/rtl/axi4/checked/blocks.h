/// The AXI4 memory with assertions bound to it and faults to choose from, and the assertions alone beside any pins.
#pragma once

#include <Vaxi4_bound_ram.h>
#include <Vaxi4_checker.h>
#include <cstdint>

#include "rtl/axi4_pins.h"
#include "rtl/verilated/axi4_subordinate_pins.h"
#include "rtl/verilated/clocked.h"

namespace numavp {

/// A broken assertion is counted: it says its sentence on the error stream once and ends nothing.
template <class V> struct Asserted : rtl::Clocked<V> {
    Asserted() {
        this->context.fatalOnError(false);
        this->context.errorLimit(1'000'000'000);
    }
};

class BoundRam final : public rtl::AxiSubordinate {
  public:
    BoundRam(unsigned mutant, unsigned stall) {
        model_.pins.mutant = static_cast<CData>(mutant);
        model_.pins.stall = static_cast<CData>(stall);
        model_.reset();
        settle({});
    }
    void edge() override {
        model_.pins.clk = 1;
        model_.pins.eval();
    }
    void settle(const rtl::AxiManagerPins& in) override {
        rtl::drive(in, model_.pins);
        model_.pins.clk = 0;
        model_.pins.eval();
        rtl::read(model_.pins, out_);
    }
    const rtl::AxiSubordinatePins& pins() const override { return out_; }
    /// A bit for each assertion of axi4_checker.sv, by its number.
    std::uint64_t broken() const { return model_.pins.broken; }

  private:
    Asserted<Vaxi4_bound_ram> model_;
    rtl::AxiSubordinatePins out_;
};

class CheckerBlock {
  public:
    CheckerBlock() { model_.reset(); }
    /// What both sides drive at an edge, in reset or not.
    void observe(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s, bool reset = false) {
        Vaxi4_checker& pins = model_.pins;
        rtl::drive(m, pins);
        pins.awsize = static_cast<CData>(m.aw.size);
        pins.awburst = static_cast<CData>(m.aw.burst);
        pins.arsize = static_cast<CData>(m.ar.size);
        pins.arburst = static_cast<CData>(m.ar.burst);
        drive_subordinate_side(s);
        pins.rst = reset;
        model_.edge();
    }
    std::uint64_t broken() const { return model_.pins.broken; }

  private:
    void drive_subordinate_side(const rtl::AxiSubordinatePins& s) {
        Vaxi4_checker& pins = model_.pins;
        pins.awready = s.awready;
        pins.wready = s.wready;
        pins.bvalid = s.b.valid;
        pins.bid = static_cast<CData>(s.b.id);
        pins.bresp = static_cast<CData>(s.b.resp);
        pins.arready = s.arready;
        pins.rvalid = s.r.valid;
        pins.rid = static_cast<CData>(s.r.id);
        pins.rresp = static_cast<CData>(s.r.resp);
        pins.rlast = s.r.last;
        std::memcpy(pins.rdata.data(), s.r.data.data(), rtl::kAxiBytes);
    }
    Asserted<Vaxi4_checker> model_;
};

} // namespace numavp
