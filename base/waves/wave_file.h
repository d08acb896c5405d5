/// Interface of waveform files: declared signals, then times and values. VCD is written here, FST by rtl/fst_file.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/values/natural_order.h"

namespace numavp {

/// Format in which a viewer shows a signal.
enum class WaveRadix : std::uint8_t { decimal, hexadecimal, text, curve };

struct WaveSignal {
    std::string scope; ///< modules from the top, between dots
    std::string name;
    unsigned bits = 1;
    WaveRadix radix = WaveRadix::decimal;
    std::string group = {}; ///< under which a viewer lists it
    unsigned low = 0;       ///< number of the lowest bit
    /// Set if the signal is another name of the signal with that index, which is not an alias itself.
    std::optional<std::size_t> same_as = std::nullopt;
};

/// The signal's name with the range of its bits, as in a declaration: "lanes_out[7:0]", "clk".
std::string ranged_name(const WaveSignal& signal, const char* between = "");

/// A tree of modules with their signals.
struct WaveScope {
    std::map<std::string, WaveScope, NaturalLess> inner;
    std::vector<std::size_t> signals; ///< places in the vector
};
WaveScope scopes_of(const std::vector<WaveSignal>& signals);

/// Values have one character 0, 1 or x for each bit of the signal, highest first. ConfigError if it can't be written.
class WaveFile {
  public:
    virtual ~WaveFile() = default;
    /// Declares all signals; the first call, made once.
    virtual void declare(const std::vector<WaveSignal>& signals) = 0;
    /// Sets the time of the values that follow; must not descend.
    virtual void time(std::uint64_t ps) = 0;
    virtual void value(std::size_t signal, const std::string& bits) = 0;
    /// Completes the file; the last call, made once.
    virtual void close() = 0;
};

/// Value change dump (IEEE 1364), with times in ps.
std::unique_ptr<WaveFile> make_vcd_file(const std::string& path);

} // namespace numavp
