/// Routing on any graph by tables of hops, in four forms.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm-links/topology/topology_routing.h"

namespace numavp {

enum class TableForm : unsigned char {
    all_shortest,   ///< any channel of a shortest way, on all virtual channels
    first_shortest, ///< to the next router with the lowest index on a shortest way, on all virtual channels
    hop_classes,    ///< any channel of a shortest way; virtual channels in as many classes as the longest way has hops
    up_down         ///< up*/down*: towards the root of a spanning tree, then away from it, on all virtual channels
};

/// hop_classes: a packet with h hops to go, of at most d in this network, takes class d - h. So its class rises with
/// each hop, and dependencies have no circle (Guenther, 1981).
/// up_down (Autonet; Schroeder and others, 1991): a channel leads up if its end is nearer to the root, or equally near
/// with a lower index. At routers from which the target can be reached by down channels only, packets take these;
/// elsewhere they go up, on the path with the fewest hops in all. A packet that went down has a down path from there,
/// so none goes up again.
class TableRouting final : public TopologyRouting {
  public:
    TableRouting(TableForm form, const NetworkGraph& graph, const TopologySpec& spec);

    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override;
    unsigned hops(unsigned router, unsigned target) const override;
    /// Number of hops of the longest path.
    unsigned longest() const { return longest_; }

  private:
    struct Neighbour {
        unsigned router;
        bool up;
    };
    using Hops = std::uint16_t;
    static constexpr Hops kFar = 0xffff;

    std::size_t at(unsigned router, unsigned target) const { return std::size_t{target} * neighbours_.size() + router; }
    void rank_routers();
    void find_shortest();
    void find_down();
    void find_up_down();
    VcRange class_of(unsigned hops_to_go) const;

    TableForm form_;
    unsigned virtual_channels_;
    unsigned longest_ = 0;
    std::vector<std::vector<Neighbour>> neighbours_; ///< of each router, by index, each once
    std::vector<unsigned> by_rank_;                  ///< routers, roots first
    std::vector<Hops> hops_;                         ///< of the way that is taken
    std::vector<Hops> down_;                         ///< up_down: of the shortest way that leads down only
};

} // namespace numavp
