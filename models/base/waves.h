/// Waveforms: signals of models, of pins and of Verilated RTL in one file. Plain C++; who is not watched pays nothing.
///
/// All signals are declared before the first value. A value may be set for a time still to come, such as that of a
/// clock which is sure to fall; it is held back until then. Within one time the last value of a signal counts, so that
/// what settles in steps shows once. A signal that was never set is x.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/base/wave_file.h"

namespace numavp {

/// The edges of the clock that drives a group of signals.
struct WaveClock {
    std::function<std::uint64_t()> now_ps;  ///< of the edge that is executed
    std::function<std::uint64_t()> next_ps; ///< of the one after it
};

class Waves {
  public:
    using Signal = std::size_t;

    /// Written are the changes from `from_ps` to `to_ps`, and the values that stand when they begin.
    explicit Waves(std::unique_ptr<WaveFile> file, std::uint64_t from_ps = 0, std::uint64_t to_ps = kNever);
    ~Waves(); ///< forgets what close() has not written
    Waves(const Waves&) = delete;
    Waves& operator=(const Waves&) = delete;

    /// ModelError if the name is taken, or values were set already.
    Signal declare(WaveSignal signal);
    /// The simulation has come to `now_ps`, and no further: nothing is set before it any more. Ascends.
    void advance(std::uint64_t now_ps);
    /// From `at_ps` on, not before the last advance(), the signal has this value.
    void set(Signal signal, std::uint64_t at_ps, std::uint64_t value);
    void set(Signal signal, std::uint64_t at_ps, std::string bits);
    /// Writes what is held back up to the last advance(), and the end.
    void close();

    const std::vector<WaveSignal>& signals() const { return signals_; }
    /// Of the file, as far as it has come.
    std::uint64_t end_ps() const { return std::min(std::max(now_ps_, from_ps_), to_ps_); }

  private:
    using Change = std::pair<Signal, std::string>;

    void begin(std::uint64_t ps);
    void apply(std::uint64_t ps, const std::vector<Change>& changes);
    void write(std::uint64_t ps, const std::vector<Signal>& changed);

    std::unique_ptr<WaveFile> file_;
    std::uint64_t from_ps_, to_ps_, now_ps_ = 0;
    bool running_ = false; ///< values were set
    bool begun_ = false;   ///< the file has its declarations
    std::vector<WaveSignal> signals_;
    std::set<std::string> names_;
    std::vector<std::string> values_; ///< of each signal
    std::vector<std::string> shown_;  ///< what the file has
    std::map<std::uint64_t, std::vector<Change>> held_back_;
};

/// Signals that are looked at together, at times that their owner knows: when something has changed, or each so often.
class WaveGroup {
  public:
    WaveGroup(Waves& waves, WaveClock clock, std::string name)
        : waves_(waves), clock_(std::move(clock)), name_(std::move(name)) {}

    /// `read` is called by each sample().
    void add(const std::string& scope, const std::string& name, unsigned bits, std::function<std::uint64_t()> read,
             WaveRadix radix = WaveRadix::decimal);
    /// Bytes as one wide value, byte 0 lowest; `bytes` stay where they are.
    void add_bytes(const std::string& scope, const std::string& name, const unsigned char* bytes, unsigned count);
    /// The last `characters` of a text, for a viewer that shows bits as ASCII.
    void add_text(const std::string& scope, const std::string& name, unsigned characters,
                  std::function<std::string()> read);
    /// The signals have these values from now on.
    void sample();

  private:
    struct Number {
        Waves::Signal signal;
        std::function<std::uint64_t()> read;
        std::uint64_t last;
    };
    struct Wide {
        Waves::Signal signal;
        std::function<std::string()> read; ///< bits
    };
    Waves& waves_;
    WaveClock clock_;
    std::string name_;
    std::vector<Number> numbers_;
    std::vector<Wide> wides_;
    bool first_ = true;
};

/// `count` bits of a value, highest first.
std::string wave_bits(std::uint64_t value, unsigned count);

} // namespace numavp
