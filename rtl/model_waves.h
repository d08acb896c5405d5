/// Adds the internal signals of a Verilated model to our waveforms. Include it only in the .cpp that holds the model,
/// which must be translated with --trace: this header needs Verilator's.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <verilated_vcd_c.h>

#include "base/waves/vcd_stream.h"

namespace numavp::rtl {

/// True if the class of a model was translated with --trace.
template <class V, class = void> inline constexpr bool kTraced = false;
template <class V> inline constexpr bool kTraced<V, std::void_t<decltype(std::declval<V&>().trace(nullptr, 0))>> = true;

/// Takes the VCD that Verilator would write to a file. Call it after eval(). The model must outlive it.
class ModelWaves final : private VerilatedVcdFile {
  public:
    /// Declares the signals of `model` under `scope`; its clock is the pin `clock_pin`.
    template <class V>
    ModelWaves(V& model, Waves& waves, const std::string& scope, WaveClock clock,
               WaveRadix radix = WaveRadix::hexadecimal, const char* clock_pin = "clk")
        : waves_(waves), clock_(std::move(clock)), stream_(waves, scope, clock_pin, radix), vcd_(this) {
        model.contextp()->traceEverOn(true);
        model.trace(&vcd_, kAllLevels);
        vcd_.open("");
        vcd_.flush();
    }

    /// Records the model's values now; call it when the inputs have settled.
    void settle() {
        const std::uint64_t now = clock_.now_ps();
        waves_.advance(now);
        look(now);
    }
    /// Records a rising edge of the clock now.
    void rise() {
        settle();
        pulse(clock_.now_ps());
    }
    /// Records the rising edge at the clock's next edge, for a model that is called now and answers one cycle later.
    void rise_next() {
        waves_.advance(clock_.now_ps());
        look(clock_.next_ps());
        pulse(clock_.next_ps());
    }

  private:
    static constexpr int kAllLevels = 99;

    bool open(const std::string&) override { return true; }
    void close() override {}
    ssize_t write(const char* text, ssize_t bytes) override {
        stream_.take(text, static_cast<std::size_t>(bytes));
        return bytes;
    }
    void look(std::uint64_t ps) {
        stream_.at(ps);
        vcd_.dump(++dumps_); // a time of its own, as several looks may have one time of ours
        vcd_.flush();
    }
    void pulse(std::uint64_t rise_ps) { stream_.pulse(rise_ps, rise_ps + (clock_.next_ps() - clock_.now_ps()) / 2); }

    Waves& waves_;
    WaveClock clock_;
    VcdStream stream_;
    std::uint64_t dumps_ = 0;
    VerilatedVcdC vcd_; // last: it ends by writing
};

} // namespace numavp::rtl
