/// Adds waveforms that another program writes as VCD, such as a Verilated model, to our waveform file.
///
/// The text may come in pieces. Its outermost module, which repeats the pins of the one inside, is left out, and so are
/// its times: each value gets the time of the last at(). The clock is not taken from the text: pulse() drives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/waves/waves.h"

namespace numavp {

class VcdStream {
  public:
    /// The text's modules appear under `scope`; `clock` names a pin of the outermost module.
    VcdStream(Waves& waves, std::string scope, std::string clock, WaveRadix radix)
        : waves_(waves), top_(std::move(scope)), clock_(std::move(clock)), radix_(radix) {}

    /// Sets the time of all values that are taken from now on.
    void at(std::uint64_t ps) { at_ps_ = ps; }
    /// Takes the next piece of VCD text. ModelError if it is malformed.
    void take(const char* text, std::size_t bytes);
    /// Adds one pulse of the clock: high at `rise_ps`, low again at `fall_ps`.
    void pulse(std::uint64_t rise_ps, std::uint64_t fall_ps);

  private:
    struct Code {
        unsigned bits = 0;
        std::optional<Waves::Signal> signal; ///< none: of the outermost module alone
    };

    void line(const std::string& line);
    void declaration(const std::vector<std::string>& words);
    void variable(const std::vector<std::string>& words);
    void value(const std::string& line);

    Waves& waves_;
    std::string top_, clock_;
    WaveRadix radix_;
    std::string partial_; ///< line
    std::vector<std::string> modules_;
    bool declared_ = false;
    std::unordered_map<std::string, Code> codes_;
    std::string clock_code_;
    std::uint64_t at_ps_ = 0;
};

} // namespace numavp
