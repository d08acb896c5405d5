/// Input of the replication model: counts the requests to some sets of one slice, and which of them would have hit with
/// and without replicas (NUBA, section 5.1: dynamic set sampling). Plain C++; time is only the edges that callers pass.
///
/// Two shadow copies of the sampled sets' tags are kept: one takes the lines that the slice would hold without
/// replication, the other replicas too. Hardware needs only one, since the slice itself is the other. Neither sees the
/// requests that replicas in other slices answer: while all slices replicate, these requests are missing from the
/// estimate without replication, as they would be in hardware.
///
/// For the estimate by the busiest resource a third shadow takes what the slice would get if all slices replicated: of
/// other partitions' requests for lines with replicas only as many as miss there. Partitions are taken to be alike, so
/// that other partitions' replicas miss as often as the own ones, and others fetch as much from here as from elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/types.h"
#include "models/cache/busiest_resource.h"
#include "models/cache/replication_model.h"
#include "models/cache/tag_array.h"

namespace numavp {

class ReplicationSampler {
  public:
    struct Request {
        std::uint64_t line = 0;
        bool own = true;         ///< of an SM of this socket; else of another socket
        bool remote = false;     ///< the line's home is another socket
        bool replicable = false; ///< a read of a line that its kernel does not write
    };
    /// Samples the first `sets` sets of `slice`, or all if it has fewer. `loads`: for the busiest resource too.
    ReplicationSampler(const TagArray& slice, unsigned sets, bool loads = false);

    bool samples(std::uint64_t line) const { return slice_.set_of(line) < sets_; }
    /// Records a request for a sampled line that reached the slice, or skipped it, at an edge. Edges ascend; requests
    /// of one edge are counted in the order of `port`, so the order of these calls does not matter for different ports.
    void note(Cycle edge, unsigned port, const Request& request);
    /// Empties the shadows, as a flush does the slice.
    void clear();
    /// Counts without (`none`) and with (`full`) replication since the last take().
    struct Profiles {
        ReplicationProfile none, full;
        ReplicationLoads loads_none, loads_full;
    };
    Profiles take();
    /// Whether slices replicate from here on, so that other partitions' replicas answer before a request is seen.
    void set_replicates(bool replicates) { replicates_ = replicates; }

  private:
    /// Tags of the sampled sets, set by set, each most recent first; 0: empty.
    struct Shadow {
        std::vector<std::uint64_t> tags;
        ReplicationProfile profile;
    };
    struct Noted {
        unsigned port;
        Request request;
    };
    void settle();
    void load(const Request& request);
    bool passes_replicas();
    void count(Shadow& shadow, const Request& request, bool looked_up);
    bool look_up(std::vector<std::uint64_t>& tags, std::uint64_t line) const;

    const TagArray& slice_;
    unsigned sets_, ways_;
    bool loads_;
    Shadow none_, full_;
    std::vector<std::uint64_t> met_tags_; ///< of the third shadow
    ReplicationLoads met_;                ///< loads with replication
    bool replicates_ = false;
    std::uint64_t others_ = 0, replica_look_ups_ = 0, replica_misses_ = 0;
    std::uint64_t part_misses_ = 1, part_look_ups_ = 1, passed_ = 0; ///< of the last epoch that had look-ups
    Cycle edge_ = 0;
    std::vector<Noted> noted_; ///< of that edge
};

} // namespace numavp
