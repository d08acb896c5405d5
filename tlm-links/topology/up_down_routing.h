/// Up*/down* routing on any graph: for graphs whose best ways can't be kept from deadlock.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm-links/topology/topology_routing.h"

namespace numavp {

/// Packets go towards the root of a spanning tree, then away from it, on all virtual channels (Autonet; Schroeder and
/// others, 1991). A channel leads up if its end is nearer to the root, or equally near with a lower index. At routers
/// from which the target can be reached by down channels only, packets take these; elsewhere they go up, on the path
/// with the fewest hops in all. A packet that went down has a down path from there, so none goes up again.
///
/// Routers that are no transit lie below all others, where the graph allows it, so that none is passed that need not
/// be. Among these ways the fewest hops count, and no speed.
class UpDownRouting final : public TopologyRouting {
  public:
    UpDownRouting(const NetworkGraph& graph, const TopologySpec& spec);

    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override;
    unsigned hops(unsigned router, unsigned target) const override;

  private:
    struct Neighbour {
        unsigned router;
        bool up;
    };
    using Hops = std::uint16_t;
    static constexpr Hops kFar = 0xffff;

    std::size_t at(unsigned router, unsigned target) const { return std::size_t{target} * neighbours_.size() + router; }
    std::vector<unsigned> levels(const std::vector<Transit>& transit) const;
    void rank_routers(const std::vector<Transit>& transit);
    void find_down();
    void find_up_down();

    std::vector<std::vector<Neighbour>> neighbours_; ///< of each router, by index, each once
    std::vector<unsigned> by_rank_;                  ///< routers, roots first
    std::vector<Hops> hops_;                         ///< of the way that is taken
    std::vector<Hops> down_;                         ///< of the shortest way that leads down only
};

} // namespace numavp
