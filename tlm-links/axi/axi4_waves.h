/// AXI4 pins among the waveforms, with the names of the AMBA specification. No SystemC.
#pragma once

#include <string>

#include "base/waves/waves.h"
#include "rtl/axi4_pins.h"

namespace numavp {

/// The pins of a port, from any source.
class Axi4Waves {
  public:
    Axi4Waves(Waves& waves, const std::string& scope, WaveClock clock);
    /// Records the pins that both sides drive from now on.
    void sample(const rtl::AxiManagerPins& manager, const rtl::AxiSubordinatePins& subordinate);

  private:
    void add_manager(const std::string& scope);
    void add_subordinate(const std::string& scope);

    rtl::AxiManagerPins manager_;
    rtl::AxiSubordinatePins subordinate_;
    WaveGroup group_;
};

/// Pass-through between a bridge and a subordinate that records the settled pins.
class WatchedSubordinate final : public rtl::AxiSubordinate {
  public:
    WatchedSubordinate(rtl::AxiSubordinate& inner, Waves& waves, const std::string& scope, WaveClock clock)
        : inner_(inner), waves_(waves, scope, std::move(clock)) {}
    void at_edge(const std::function<void()>& step) override { inner_.at_edge(step); }
    void edge() override { inner_.edge(); }
    void settle(const rtl::AxiManagerPins& pins) override {
        inner_.settle(pins);
        waves_.sample(pins, inner_.pins());
    }
    const rtl::AxiSubordinatePins& pins() const override { return inner_.pins(); }
    unsigned debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) override {
        return inner_.debug(address, bytes, count, write);
    }

  private:
    rtl::AxiSubordinate& inner_;
    Axi4Waves waves_;
};

} // namespace numavp
