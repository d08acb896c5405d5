#include "tlm-links/axi/axi4_signals.h"

#include <utility>

namespace numavp {

using sc_core::sc_time;

namespace {
constexpr unsigned kResetEdges = 2;
constexpr std::uint64_t kPsOfKhz = 1'000'000'000;
} // namespace

Axi4SignalShell::Axi4SignalShell(sc_core::sc_module_name name, const ClockDomain& clock)
    : sc_module(name), half_(sc_time::from_value(kPsOfKhz / 2 / clock.khz())), reset_left_(2 * kResetEdges) {
    SC_HAS_PROCESS(Axi4SignalShell);
    SC_METHOD(tick);
    SC_METHOD(risen);
    sensitive << signals.aclk.posedge_event();
    dont_initialize();
}

/// The one writer of clock and reset.
void Axi4SignalShell::tick() {
    const bool level = !signals.aclk.read();
    if (reset_left_ != 0) {
        --reset_left_;
        signals.aclk.write(level);
        next_trigger(sc_core::SC_ZERO_TIME);
    } else if (!signals.aresetn.read()) {
        signals.aresetn.write(true);
        await_rise();
    } else {
        signals.aclk.write(level);
        if (level)
            next_trigger(half_);
        else
            await_rise();
    }
}

/// An edge may have been asked for while the clock could not rise.
void Axi4SignalShell::await_rise() {
    if (cycle_)
        next_trigger(sc_core::SC_ZERO_TIME);
    else
        next_trigger(rise_);
}

/// In the evaluation in which all who are sensitive to the edge sample: what it writes is seen a delta later.
void Axi4SignalShell::risen() {
    if (cycle_) (*std::exchange(cycle_, nullptr))();
    drive();
}

const rtl::AxiSubordinatePins& Axi4SubordinateSignals::pins() const {
    read_pins(signals, subordinate_);
    return subordinate_;
}

Axi4ManagerSignals::Axi4ManagerSignals(sc_core::sc_module_name name, const ClockDomain& clock)
    : Axi4SignalShell(name, clock) {
    SC_METHOD(activate);
    sensitive << cactive.posedge_event();
    dont_initialize();
}

const rtl::AxiManagerPins& Axi4ManagerSignals::pins() const {
    read_pins(signals, manager_);
    return manager_;
}

bool Axi4ManagerSignals::idle() const {
    return !cactive.read() && !signals.awvalid.read() && !signals.wvalid.read() && !signals.arvalid.read();
}

} // namespace numavp
