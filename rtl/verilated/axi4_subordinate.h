/// A Verilated memory behind AXI4 pins, which needs only the class that Verilator made of the module.
///
/// The module has the ports of rtl/axi4_ram.sv by name: clk, rst (synchronous), aw*, w*, b*, ar*, r*; ids and addresses
/// may have other widths. A module with other ports needs a wrapper with these.
#pragma once

#include "rtl/axi4_pins.h"
#include "rtl/verilated/axi4_subordinate_pins.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

template <class V> class VerilatedSubordinate : public AxiSubordinate {
  public:
    /// Gives one edge in reset.
    VerilatedSubordinate() {
        clocked_.reset();
        settle({});
    }

    /// The model, for constant inputs and backdoor access.
    V& model() { return clocked_.pins; }

    void edge() override {
        model().clk = 1;
        model().eval();
    }
    void settle(const AxiManagerPins& in) override {
        drive(in, model());
        model().clk = 0;
        model().eval();
        read(model(), out_);
    }
    const AxiSubordinatePins& pins() const override { return out_; }

  private:
    Clocked<V> clocked_;
    AxiSubordinatePins out_;
};

} // namespace numavp::rtl
