/// Groups of signals that the parts of a machine show on one clock, by name.
///
/// A group is sampled as a whole: by a part that knows when its signals change (and keeps a reference to the group), or
/// with all others at each interval.
#pragma once

#include <deque>
#include <string>
#include <utility>

#include "base/waves/waves.h"

namespace numavp {

/// Groups that several kinds of parts share.
inline constexpr const char* kQueueWaves = "queues"; ///< how much waits, looked at each interval
inline constexpr const char* kUseWaves = "use in percent";

inline constexpr unsigned kQueueWaveBits = 16, kPercentWaveBits = 7;

class WaveSet {
  public:
    WaveSet(Waves& waves, WaveClock clock) : waves_(waves), clock_(std::move(clock)) {}

    /// The group of that name, created by the first call; the reference stays valid.
    WaveGroup& group(const std::string& name) {
        for (Named& g : groups_)
            if (g.name == name) return g.group;
        groups_.push_back({name, WaveGroup(waves_, clock_, name)});
        return groups_.back().group;
    }
    /// The waveforms themselves, for signals from other sources, such as RTL.
    Waves& waves() { return waves_; }
    const WaveClock& clock() const { return clock_; }
    /// Samples all groups now.
    void sample() {
        for (Named& g : groups_) g.group.sample();
    }

  private:
    struct Named {
        std::string name;
        WaveGroup group;
    };
    Waves& waves_;
    WaveClock clock_;
    std::deque<Named> groups_;
};

/// Use of a capacity in an interval, in percent; each call begins the next interval.
class UseInPercent {
  public:
    std::uint64_t operator()(std::uint64_t done, std::uint64_t possible) {
        const std::uint64_t more = done - done_, room = possible - possible_;
        done_ = done;
        possible_ = possible;
        return room == 0 ? 0 : std::min<std::uint64_t>(more * 100 / room, 100);
    }

  private:
    std::uint64_t done_ = 0, possible_ = 0;
};

} // namespace numavp
