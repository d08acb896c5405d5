/// A Verilated model with pins `clk` and `rst`: its context, its reset, its edges.
#pragma once

#include <verilated.h>

namespace numavp::rtl {

template <class V> struct Clocked {
    VerilatedContext context; ///< one an instance: instances share nothing
    V pins{&context, ""};

    Clocked() = default;
    /// The model takes its names out of the context of the thread, which is that of whoever was made last.
    ~Clocked() { Verilated::threadContextp(&context); }
    Clocked(const Clocked&) = delete;
    Clocked& operator=(const Clocked&) = delete;

    /// An edge in reset; constant pins are set before.
    void reset() {
        pins.rst = 1;
        edge();
        pins.rst = 0;
    }
    /// The inputs settle while the clock is low, then it rises.
    void edge() {
        pins.clk = 0;
        pins.eval();
        pins.clk = 1;
        pins.eval();
    }
};

} // namespace numavp::rtl
