/// A Verilated model with pins `clk` and `rst`: its context, its reset, its edges, its waveforms.
#pragma once

#include <memory>
#include <string>
#include <verilated.h>

#include "base/values/error.h"
#include "rtl/block_end.h"
#include "rtl/model_waves.h"

namespace numavp::rtl {

/// A context without Verilator's pool of threads, one for each core: models that are verilated without --threads never
/// use it, and a process that has threads can't go on in a fork (numavp branch).
struct SingleThreadedContext : VerilatedContext {
    SingleThreadedContext() { threads(1); }
};

template <class V> struct Clocked {
    SingleThreadedContext context; ///< one an instance: instances share nothing
    V pins{&context, ""};
    std::unique_ptr<ModelWaves> waves; ///< null: no waveforms

    Clocked() = default;
    /// The model's destructor looks up its names in the thread's context, which the instance made last has set.
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
    /// Gives one edge in reset; constant pins must have been set before.
    void reset() {
        pins.rst = 1;
        edge();
        pins.rst = 0;
    }
    /// Settles the inputs while the clock is low, then raises it; waveforms show the edge a cycle after the inputs.
    /// Throws (rtl/block_end.h) if the block has ended the simulation.
    void edge() {
        pins.clk = 0;
        pins.eval();
        if (waves) waves->settle();
        pins.clk = 1;
        pins.eval();
        if (waves) waves->rise_next();
        // A runtime of the program's own notes $finish and goes on; tests with fatalOnError(false) go on after errors.
        if (context.gotFinish() && !context.gotError()) end_by_block(pins.modelName(), "$finish");
    }
};

} // namespace numavp::rtl
