/// What the replication model is told: the requests to some sets of one slice, and which of them would have hit with
/// and without replicas (NUBA, section 5.1: dynamic set sampling). Plain C++, no time but the edges that callers name.
///
/// Two shadows of the sampled sets are kept, tags alone: one takes what the slice takes without replication, the other
/// replicas too. Hardware needs one, since the other is what the slice's own sets hold. Neither knows the lines that
/// other slices' replicas keep from coming here: while all replicate, requests that others' replicas answer are missing
/// from the estimate without replication, as they would be in hardware.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/cache/replication_model.h"
#include "models/cache/tag_array.h"

namespace numavp {

class ReplicationSampler {
  public:
    struct Request {
        std::uint64_t line = 0;
        bool own = true;         ///< of an SM of this socket; else of another socket
        bool remote = false;     ///< the line's home is another socket
        bool replicable = false; ///< a read of what its kernel only reads
    };
    /// The first `sets` of `slice`, or as many as it has.
    ReplicationSampler(const TagArray& slice, unsigned sets);

    bool samples(std::uint64_t line) const { return slice_.set_of(line) < sets_; }
    /// A request for a sampled line reached the slice, or passed it by, at an edge. Edges ascend; `port` orders the
    /// requests of an edge, in which order these come does not matter for different ports.
    void note(Cycle edge, unsigned port, const Request& request);
    /// A flush: no shadow holds a line.
    void clear();
    /// What was counted since the last call.
    struct Profiles {
        ReplicationProfile none, full;
    };
    Profiles take();

  private:
    /// Tags of the sampled sets in their order, the most recent first; 0: none.
    struct Shadow {
        std::vector<std::uint64_t> tags;
        ReplicationProfile profile;
    };
    struct Noted {
        unsigned port;
        Request request;
    };
    void settle();
    void count(Shadow& shadow, const Request& request, bool looked_up);
    bool look_up(Shadow& shadow, std::uint64_t line);

    const TagArray& slice_;
    unsigned sets_, ways_;
    Shadow none_, full_;
    Cycle edge_ = 0;
    std::vector<Noted> noted_; ///< of that edge
};

} // namespace numavp
