/// Routers in a tree that branches equally at each level, and the only path between each two.
#pragma once

#include <vector>

#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/topology_routing.h"

namespace numavp {

/// Router 0 is the root; routers are numbered level by level, with the children of a router side by side.
class RootedTree {
  public:
    /// `children[l]` is the number of children of each router at level l; routers of the last level have none.
    explicit RootedTree(const std::vector<unsigned>& children);

    unsigned routers() const { return first_.back(); }
    unsigned first_leaf() const { return first_[first_.size() - 2]; }
    unsigned level(unsigned router) const;
    unsigned parent(unsigned router) const; ///< of another router than the root
    /// Adds the channels to a graph that has the routers, `parallel` between each two.
    void connect(NetworkGraph& graph, unsigned parallel, unsigned latency_cycles) const;

  private:
    std::vector<unsigned> children_;
    std::vector<unsigned> first_; ///< router of each level, and the number of routers
};

/// Routes up to the common ancestor, then down, on all virtual channels.
class RootedTreeRouting final : public TopologyRouting {
  public:
    RootedTreeRouting(RootedTree tree, const NetworkGraph& graph, const TopologySpec& spec)
        : TopologyRouting(graph, spec), tree_(std::move(tree)) {}

    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override;
    unsigned hops(unsigned router, unsigned target) const override;

  private:
    RootedTree tree_;
};

/// TopologySpec::dimensions are the children of a router at each level, from the root; nodes are at the last level.
Topology make_rooted_tree(const TopologySpec& spec, const Place& place);

} // namespace numavp
