/// Reads a system that runs, on the thread that simulates it and between two edges.
///
/// It reads what the run records anyway, and the reports that modules have for a simulation that is stuck. It calls
/// nothing that changes a module, so that results keep their bytes.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "platform/live/live_snapshot.h"

namespace numavp {

class LiveProbe {
  public:
    static constexpr std::size_t kEndedKernels = 200; ///< of a snapshot
    static constexpr std::size_t kAccesses = 12;

    /// Called when the simulation begins: the run's time counts from here.
    void begin() { start_ = Clock::now(); }
    /// Takes a time in which the run stood still off its time.
    void skip(std::chrono::steady_clock::duration time) { start_ += time; }
    /// Keeps a copy of a followed access; for SystemOptions::on_access.
    void note(const FollowedAccess& access);
    std::shared_ptr<const LiveSnapshot> look(const System& system, const Progress& progress);

  private:
    using Clock = std::chrono::steady_clock;
    void take_events(const std::vector<TimelineEvent>& events);

    Clock::time_point start_ = Clock::now();
    LiveHistory history_;
    std::size_t events_ = 0; ///< of the timeline, taken so far
    std::vector<LiveKernel> running_;
    std::deque<LiveKernel> ended_;
    std::deque<KeptAccess> accesses_;
};

} // namespace numavp
