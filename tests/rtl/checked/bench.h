/// The Verilated model of rtl_bench.sv: every RTL block with its assertions, and a fault if one is asked for.
#pragma once

#include <Vrtl_bench.h>
#include <verilated.h>

namespace numavp {

class Bench {
  public:
    VerilatedContext context;
    Vrtl_bench pins{&context, ""};

    /// After an edge in reset of every block. `ways` and saturation are constant pins.
    explicit Bench(unsigned mutant, unsigned saturation_percent = 99, unsigned ways = 0x0410) {
        context.fatalOnError(false); // a broken assertion is counted
        context.errorLimit(1'000'000'000);
        pins.mutant = static_cast<CData>(mutant);
        pins.saturation_percent = static_cast<CData>(saturation_percent);
        pins.ways = static_cast<SData>(ways);
        pins.rst = 1;
        for (CData* clock : {&pins.lanes_clk, &pins.ways_clk, &pins.model_clk, &pins.narrow_clk}) edge(*clock);
        pins.rst = 0;
    }
    void edge(CData& clock) {
        clock = 0;
        pins.eval();
        clock = 1;
        pins.eval();
    }
    bool assertion_broken() const { return context.errorCount() != 0; }
};

} // namespace numavp
