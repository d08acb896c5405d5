/// Index of the channels between any two routers, so that not all channels must be searched.
#pragma once

#include <vector>

#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/graph/routing.h"

namespace numavp {

/// A copy of the channel data that routing needs. Contract: keeps no reference to the graph.
class ChannelIndex {
  public:
    explicit ChannelIndex(const NetworkGraph& graph);

    /// Adds a step for each channel from `from` to `to` (none, one, or parallel ones), in the order of their indices.
    void add_steps(unsigned from, unsigned to, VcRange vcs, std::vector<RouteStep>& steps) const;
    unsigned routers() const { return static_cast<unsigned>(begin_.size()) - 1; }

  private:
    struct Hop {
        unsigned to;
        unsigned channel;
    };
    std::vector<unsigned> begin_; ///< of each router's hops, and one more
    std::vector<Hop> hops_;       ///< sorted by destination, then channel, within a router
};

} // namespace numavp
