/// What a placement policy may see of the machine beyond a fault: distances between sockets, and the use of their links
/// in the last sample. Plain numbers behind registers; the machine gives the counts.
///
/// A sample is taken when a driver asks and the last one is old enough, so that a machine on which none asks has no
/// sampling. It covers the time since the sample before it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/values/types.h"

namespace numavp {

/// A direction of a link since the start, in bytes.
struct LinkWork {
    std::uint64_t carried = 0, possible = 0;
};

class MachineLook {
  public:
    /// Routers between two sockets, 0 to itself; empty: a host without sockets, where all are 0.
    std::function<unsigned(unsigned from, unsigned to)> routers;
    unsigned sockets = 0;

    /// Samples links at most every `cycles`; `work` counts a socket's link, `now` tells the cycle.
    struct Links {
        Cycle cycles = 1;
        std::function<Cycle()> now;
        std::function<LinkWork(unsigned socket)> out, in;
    };
    void watch(Links links);
    /// Samples links at most every `cycles` from now on.
    void sample_every(Cycle cycles) { links_.cycles = cycles; }

    /// Distances from a socket to sockets 8 k to 8 k + 7, a byte each; 0 for those that do not exist.
    std::uint64_t distances(std::uint64_t from, unsigned k) const;
    /// Takes a sample if one is due.
    void sample();
    /// Use of the links of sockets 4 k to 4 k + 3 in the last sample, in percent: a byte out, a byte in for each.
    std::uint64_t link_use(unsigned k) const;

  private:
    struct Direction {
        LinkWork before;
        unsigned percent = 0;
        void take(const LinkWork& now);
    };
    struct SampledLink {
        Direction out, in;
    };
    Links links_;
    std::vector<SampledLink> sampled_; ///< by socket; empty: nobody watches
    Cycle sampled_at_ = 0;
};

} // namespace numavp
