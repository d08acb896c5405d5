/// Waveforms: signals of models, of pins and of Verilated RTL in one file. Plain C++; costs nothing when not enabled.
///
/// All signals are declared before the first value is set. A value may be set for a time to come, such as the falling
/// edge of a clock; it is held back until then. If a signal is set several times at one time, the last value counts, so
/// delta cycles do not show. A signal that was never set is x.
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

#include "base/values/types.h"
#include "base/waves/wave_file.h"

namespace numavp {

/// The edges of the clock that drives a group of signals.
struct WaveClock {
    std::function<std::uint64_t()> now_ps;  ///< of the edge that is executed
    std::function<std::uint64_t()> next_ps; ///< of the one after it
};

class Waves {
  public:
    using Signal = std::size_t;

    /// Writes the changes from `from_ps` to `to_ps`, and at `from_ps` the values that all signals then have.
    explicit Waves(std::unique_ptr<WaveFile> file, std::uint64_t from_ps = 0, std::uint64_t to_ps = kNever);
    ~Waves(); ///< discards values that close() has not written
    Waves(const Waves&) = delete;
    Waves& operator=(const Waves&) = delete;

    /// ModelError if the name is taken, or values were set already.
    Signal declare(WaveSignal signal);
    /// Simulated time is `now_ps`: from now on no value is set for an earlier time. Call it with ascending times.
    void advance(std::uint64_t now_ps);
    /// Sets a signal's value from `at_ps` on, which must not be before the last advance().
    void set(Signal signal, std::uint64_t at_ps, std::uint64_t value);
    void set(Signal signal, std::uint64_t at_ps, std::string bits);
    /// Writes all values that are held back up to the time of the last advance(), and closes the file.
    void close();

    const std::vector<WaveSignal>& signals() const { return signals_; }
    /// Time up to which the file has been written.
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
    std::vector<std::string> shown_;  ///< values in the file
    std::map<std::uint64_t, std::vector<Change>> held_back_;
};

/// Signals that are sampled together, at times that their owner chooses: after a change, or periodically.
class WaveGroup {
  public:
    WaveGroup(Waves& waves, WaveClock clock, std::string name)
        : waves_(waves), clock_(std::move(clock)), name_(std::move(name)) {}

    /// Adds a signal; each sample() calls `read` for its value.
    void add(const std::string& scope, const std::string& name, unsigned bits, std::function<std::uint64_t()> read,
             WaveRadix radix = WaveRadix::decimal);
    /// Adds bytes as one wide value, byte 0 lowest; the address `bytes` must stay valid.
    void add_bytes(const std::string& scope, const std::string& name, const unsigned char* bytes, unsigned count);
    /// Adds the last `characters` characters of a text, for a viewer that shows bits as ASCII.
    void add_text(const std::string& scope, const std::string& name, unsigned characters,
                  std::function<std::string()> read);
    /// Reads all signals and sets their values from now on.
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
