/// A Verilated model with pins `clk` and `rst`: its context, its reset, its edges, its waveforms.
#pragma once

#include <memory>
#include <string>
#include <verilated.h>

#include "models/base/error.h"
#include "rtl/model_waves.h"

namespace numavp::rtl {

template <class V> struct Clocked {
    VerilatedContext context; ///< one an instance: instances share nothing
    V pins{&context, ""};
    std::unique_ptr<ModelWaves> waves; ///< null while nobody watches

    Clocked() = default;
    /// The model takes its names out of the context of the thread, which is that of whoever was made last.
    ~Clocked() { Verilated::threadContextp(&context); }
    Clocked(const Clocked&) = delete;
    Clocked& operator=(const Clocked&) = delete;

    void watch(Waves& into, const std::string& scope, const WaveClock& clock, WaveRadix radix) {
        if constexpr (kTraced<V>)
            waves = std::make_unique<ModelWaves>(pins, into, scope, clock, radix);
        else
            throw ConfigError(scope, "this RTL was translated without waveforms; CMake's TRACE, of our memory "
                                     "-DNUMAVP_MEMORY_WAVES=ON, is expected");
    }
    /// An edge in reset; constant pins are set before.
    void reset() {
        pins.rst = 1;
        edge();
        pins.rst = 0;
    }
    /// The inputs settle while the clock is low, then it rises: a cycle after they were given, as waveforms show it.
    void edge() {
        pins.clk = 0;
        pins.eval();
        if (waves) waves->settle();
        pins.clk = 1;
        pins.eval();
        if (waves) waves->rise_next();
    }
};

} // namespace numavp::rtl
