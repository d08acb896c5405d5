/// Follows one of every `every` accesses of the SMs on its whole path, and hands it to a sink when it has ended.
///
/// An access is a line of a load, store or atomic that leaves its SM. Accesses are numbered in the order in which they
/// leave, which arbitration fixes: so configuration and seed alone decide which of them are followed. Memory is bounded
/// by the number of followed accesses under way.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/values/types.h"
#include "tlm-links/protocol/access_trail.h"
#include "tlm-links/protocol/txn.h"

namespace numavp {

/// An access that has ended. Its latency is the sum of its hops' times.
struct FollowedAccess {
    std::uint64_t number = 0; ///< from 1, among all accesses
    Kind kind = Kind::load;
    SocketId socket; ///< socket whose SM made the access
    unsigned sm = 0;
    SocketId home;                  ///< socket whose memory holds the line
    std::uint64_t virtual_line = 0; ///< byte address
    std::uint64_t from_ps = 0; ///< time at which it left its SM's look-up, or its instruction began to wait for a page
    std::uint64_t latency_ps = 0;
    const std::vector<AccessHop>* hops = nullptr; ///< in the order of time; valid while the sink runs
};

class AccessLog {
  public:
    /// Called for each access in the order in which they end; those that end at one time in the order of their numbers.
    using Sink = std::function<void(const FollowedAccess&)>;
    /// Follows the accesses 1, 1 + every, 1 + 2 * every and so on.
    AccessLog(std::uint64_t every, Sink sink) : every_(every), sink_(std::move(sink)) {}

    /// Begins to follow `txn`, before it is sent; `from_ps` must not be after its birth.
    void begin(Txn& txn, std::uint64_t from_ps);
    void end(const Txn& txn, std::uint64_t now_ps);
    /// Calls the sink for accesses that have ended and were not handed on; at the end of a run.
    void flush();
    std::uint64_t every() const { return every_; }

  private:
    struct Ended {
        FollowedAccess access;
        AccessTrail* trail;
    };
    std::uint64_t every_;
    Sink sink_;
    std::uint64_t begun_ = 0;
    std::uint64_t ended_ps_ = 0;
    std::vector<Ended> ended_; ///< at ended_ps_
    std::vector<std::unique_ptr<AccessTrail>> trails_;
    std::vector<AccessTrail*> spare_;
};

} // namespace numavp
