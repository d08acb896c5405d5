/// Routing on any graph by tables of best ways, in three forms.
#pragma once

#include <memory>
#include <vector>

#include "tlm-links/topology/graph/best_ways.h"
#include "tlm-links/topology/topology_routing.h"

namespace numavp {

/// Best ways of a graph between each two routers. Several forms of routing on one graph share them.
class WayTables {
  public:
    explicit WayTables(const NetworkGraph& graph);

    const BestWays& ways() const { return ways_; }
    WayCost cost(unsigned router, unsigned target) const { return costs_[target][router]; }
    /// Number of hops of the longest way.
    unsigned longest() const { return longest_; }

  private:
    BestWays ways_;
    std::vector<std::vector<WayCost>> costs_; ///< to each target, from each router
    unsigned longest_ = 0;
};

enum class TableForm : unsigned char {
    all_best,   ///< any channel of a best way, on all virtual channels
    first_best, ///< to the next router with the lowest index on a best way, on all virtual channels
    hop_classes ///< any channel of a best way; virtual channels in as many classes as the longest way has hops
};

/// hop_classes: a packet with h hops to go, of at most d in this network, takes class d - h. So its class rises with
/// each hop, and dependencies have no circle (Guenther, 1981).
class TableRouting final : public TopologyRouting {
  public:
    /// `tables` are those of `graph`.
    TableRouting(TableForm form, const NetworkGraph& graph, const TopologySpec& spec,
                 std::shared_ptr<const WayTables> tables);

    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override;
    unsigned hops(unsigned router, unsigned target) const override;

  private:
    VcRange class_of(unsigned hops_to_go) const;

    TableForm form_;
    unsigned virtual_channels_;
    std::shared_ptr<const WayTables> tables_;
};

} // namespace numavp
