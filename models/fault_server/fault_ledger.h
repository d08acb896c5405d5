/// Accounts of page faults that have ended: counts, and latency split into parts that sum to it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "base/stats/histogram.h"
#include "base/values/types.h"

namespace numavp {

/// The parts of a fault's latency: until it is in the queue (arrival), until the driver takes it (queue), until the
/// driver completes it (handling), and until the sockets have been told (replay).
enum class FaultPart : std::uint8_t { arrival, queue, handling, replay, count };
inline constexpr unsigned kFaultParts = static_cast<unsigned>(FaultPart::count);
inline constexpr const char* kFaultPartNames[kFaultParts] = {"arrival", "queue", "handling", "replay"};

/// Times in ps at which one fault reached each stage; each is at least the one before.
struct FaultTimes {
    std::uint64_t raised = 0, queued = 0, taken = 0, done = 0, replayed = 0;
};

struct FaultCounts {
    std::uint64_t raised = 0;        ///< faults, of a page each
    std::uint64_t merged = 0;        ///< of other sockets on a page that waited already
    std::uint64_t refused = 0;       ///< times that a walker found the queue full
    std::uint64_t done = 0;          ///< completed by the driver
    std::uint64_t idle_done = 0;     ///< completions for which no fault waited
    std::uint64_t invalidations = 0; ///< pages taken out of all TLBs and caches
    std::uint64_t notes = 0, notes_lost = 0;
    std::uint64_t replicas = 0;         ///< completed
    std::uint64_t replicas_dropped = 0; ///< of these given up again
    std::uint64_t collapses = 0;        ///< pages that gave up all theirs at once
    std::uint64_t most_queued = 0;
    std::uint64_t busy_ps = 0; ///< with a fault that the driver has taken and not completed
};

class FaultLedger {
  public:
    FaultCounts counts;
    /// Called for each fault that has ended.
    std::function<void(std::uint64_t page, SocketId first, const FaultTimes&)> on_end;

    void ended(std::uint64_t page, SocketId first, const FaultTimes& t) {
        latency_.add(t.replayed - t.raised);
        const std::array<std::uint64_t, kFaultParts + 1> at{t.raised, t.queued, t.taken, t.done, t.replayed};
        for (unsigned p = 0; p < kFaultParts; ++p) parts_ps_[p] += at[p + 1] - at[p];
        if (on_end) on_end(page, first, t);
    }
    const Histogram& latency() const { return latency_; } ///< ps
    std::uint64_t part_ps(unsigned part) const { return parts_ps_[part]; }

  private:
    Histogram latency_;
    std::array<std::uint64_t, kFaultParts> parts_ps_{};
};

} // namespace numavp
