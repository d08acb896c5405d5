/// Checks AXI4-Lite pins edge by edge by the rules of AXI4: a Lite port is one with a single id and bursts of one beat.
/// No SystemC.
#pragma once

#include "rtl/axi4_lite_pins.h"
#include "tlm-links/axi/axi4_monitor.h"

namespace numavp {

class AxiLiteMonitor {
  public:
    explicit AxiLiteMonitor(std::uint64_t patience = 10'000) : monitor_(patience) {}

    void observe(const rtl::AxiLiteManagerPins& m, const rtl::AxiLiteSubordinatePins& s);
    void finish() { monitor_.finish(); }
    const std::vector<std::string>& breaches() const { return monitor_.breaches(); }

  private:
    Axi4Monitor monitor_;
};

} // namespace numavp
