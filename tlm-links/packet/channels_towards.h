/// Traffic and capacity of the channels to a package's routers, for controllers that compare the two. Plain C++.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm-links/packet/turning_channels.h"
#include "tlm-links/topology/graph/network_graph.h"

namespace numavp {

class ChannelsTowards {
  public:
    /// The channels that lead to a router at which `endpoint` has a terminal. `kinds` as in TurningChannels.
    ChannelsTowards(const NetworkGraph& graph, unsigned endpoint, const std::vector<ChannelLanes>& kinds);

    /// False where no channel leads there: all packages are at one router.
    bool any() const { return !channels_.empty(); }
    /// Flits that these channels can carry in so many cycles of the network, as their lanes face now. Packets that pass
    /// the routers, or go to other packages at them, use the same channels.
    double flits(double cycles, const TurningChannels& turning) const;
    /// Bytes that a packet takes of these channels: whole flits of `flit_bytes`, or what their format makes of it;
    /// where formats differ, the most.
    std::uint64_t wire_bytes(std::uint64_t packet, unsigned flit_bytes) const;

  private:
    struct Channel {
        unsigned number;
        std::uint32_t interval; ///< as wired
        unsigned lanes;         ///< as wired; 0: it is not made of lanes
        WireFormat format;
    };
    std::vector<Channel> channels_;
};

} // namespace numavp
