/// The pins of the bridges to and from AXI4 as SystemC signals, for pin-level models and `verilator --sc`.
///
/// A shell takes the place of a device on struct pins: Axi4SubordinateSignals below TlmToAxi4, with a pin-level memory
/// on its signals; Axi4ManagerSignals above Axi4ToTlm, with a pin-level master. Timing is that of struct pins.
/// `aclk` rises one delta after the begin of the edge's time, where an sc_clock of that period and phase rises. The
/// bridge samples in the same evaluation as every process sensitive to `aclk.pos()`. So a device and the bridge agree
/// on each handshake, regardless of when in the cycle pins are driven. The bridge's outputs change one delta later,
/// like flip-flops, and combinational answers settle in the deltas that follow; `aclk` falls half a period later.
/// While the bridge's clock is gated, `aclk` is low. Reset lasts two edges in deltas of time 0, in which `aresetn` is
/// low: it is over when time begins.
#pragma once

#include <functional>
#include <string>

#include "base/time/clockwork.h"
#include "tlm-links/axi/axi4_signal_pins.h"

namespace numavp {

struct Axi4Signals {
    template <class T> using Signal = sc_core::sc_signal<T>;
    Signal<bool> aclk{"aclk"}, aresetn{"aresetn"};
    Signal<bool> awvalid{"awvalid"}, awready{"awready"};
    Signal<std::uint32_t> awid{"awid"}, awlen{"awlen"}, awsize{"awsize"}, awburst{"awburst"};
    Signal<std::uint64_t> awaddr{"awaddr"};
    Signal<bool> wvalid{"wvalid"}, wready{"wready"}, wlast{"wlast"};
    Signal<Axi4DataSignal> wdata{"wdata"};
    Signal<std::uint64_t> wstrb{"wstrb"};
    Signal<bool> bvalid{"bvalid"}, bready{"bready"};
    Signal<std::uint32_t> bid{"bid"}, bresp{"bresp"};
    Signal<bool> arvalid{"arvalid"}, arready{"arready"};
    Signal<std::uint32_t> arid{"arid"}, arlen{"arlen"}, arsize{"arsize"}, arburst{"arburst"};
    Signal<std::uint64_t> araddr{"araddr"};
    Signal<bool> rvalid{"rvalid"}, rready{"rready"}, rlast{"rlast"};
    Signal<std::uint32_t> rid{"rid"}, rresp{"rresp"};
    Signal<Axi4DataSignal> rdata{"rdata"};
};

/// Common part of both shells: clock, reset, and calling the bridge between `aclk` and the change of its pins.
class Axi4SignalShell : public sc_core::sc_module {
  public:
    Axi4Signals signals;

  protected:
    /// `clock` is the clock of the bridge.
    Axi4SignalShell(sc_core::sc_module_name name, const ClockDomain& clock);
    /// Raises `aclk` and then calls `cycle`, which samples the pins. To be called at the begin of the edge's time.
    void rise(const std::function<void()>& cycle) {
        cycle_ = &cycle;
        rise_.notify();
    }
    /// Writes the bridge's pins to the signals.
    virtual void drive() = 0;

  private:
    void tick();
    void risen();
    void await_rise();
    sc_core::sc_event rise_;
    const std::function<void()>* cycle_ = nullptr; ///< waits for `aclk`
    sc_core::sc_time half_;
    unsigned reset_left_; ///< changes of the clock in reset
};

class Axi4SubordinateSignals final : public Axi4SignalShell, public rtl::AxiSubordinate {
  public:
    Axi4SubordinateSignals(sc_core::sc_module_name name, const ClockDomain& clock) : Axi4SignalShell(name, clock) {}
    /// Debug access to the pin-level memory, if it has a backdoor; else empty.
    std::function<unsigned(std::uint64_t address, unsigned char* bytes, unsigned count, bool write)> on_debug;

    void at_edge(const std::function<void()>& cycle) override { rise(cycle); }
    void edge() override {} // `aclk` has risen
    void settle(const rtl::AxiManagerPins& pins) override { manager_ = pins; }
    const rtl::AxiSubordinatePins& pins() const override;
    unsigned debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) override {
        return on_debug ? on_debug(address, bytes, count, write) : 0;
    }

  private:
    void drive() override { write_pins(manager_, signals); }
    rtl::AxiManagerPins manager_;
    mutable rtl::AxiSubordinatePins subordinate_; ///< as last read from the signals
};

class Axi4ManagerSignals final : public Axi4SignalShell, public rtl::AxiManager {
  public:
    SC_HAS_PROCESS(Axi4ManagerSignals);
    Axi4ManagerSignals(sc_core::sc_module_name name, const ClockDomain& clock);
    /// True while the master needs its clock. A master that does not drive it is always clocked.
    sc_core::sc_signal<bool> cactive{"cactive", true};
    /// Called when `cactive` rises: must start the bridge's clock again.
    std::function<void()> on_active;

    void at_edge(const std::function<void()>& cycle) override { rise(cycle); }
    void edge() override {} // `aclk` has risen
    void settle(const rtl::AxiSubordinatePins& pins) override { subordinate_ = pins; }
    const rtl::AxiManagerPins& pins() const override;
    bool idle() const override;

  private:
    void drive() override { write_pins(subordinate_, signals); }
    void activate() {
        if (on_active) on_active();
    }
    rtl::AxiSubordinatePins subordinate_;
    mutable rtl::AxiManagerPins manager_;
};

} // namespace numavp
