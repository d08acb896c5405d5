/// The core of a bridge to AXI4-Lite: one access at a time on plain-struct pins, one cycle per call. No SystemC.
///
/// Address and data of a write are valid together; the subordinate may take them in either order.
#pragma once

#include "rtl/axi4_lite_pins.h"
#include "tlm-links/axi_lite/axi_lite_subordinate.h"

namespace numavp {

class AxiLiteManagerCore {
  public:
    /// Puts an access on the pins, at once; none may be under way.
    void start(const AxiLiteAccess& access);
    /// Simulates a rising edge at which the subordinate drives `s`.
    void edge(const rtl::AxiLiteSubordinatePins& s);
    /// Pins that the manager drives now.
    const rtl::AxiLiteManagerPins& pins() const { return pins_; }

    bool busy() const { return pins_.rready || pins_.bready; }
    /// True if the subordinate has taken the address and, for a write, the data.
    bool taken() const { return !pins_.ar.valid && !pins_.aw.valid && !pins_.w.valid; }
    // Of the last access that ended.
    std::uint64_t data() const { return data_; }
    unsigned response() const { return response_; }

  private:
    rtl::AxiLiteManagerPins pins_;
    std::uint64_t data_ = 0;
    unsigned response_ = rtl::kAxiOkay;
};

} // namespace numavp
