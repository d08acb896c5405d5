#include "tlm-links/topology/rooted_tree.h"

#include <algorithm>

#include "tlm-links/topology/node_network.h"

namespace numavp {

RootedTree::RootedTree(const std::vector<unsigned>& children) : children_(children), first_{0, 1} {
    unsigned in_level = 1;
    for (const unsigned n : children_) {
        in_level *= n;
        first_.push_back(first_.back() + in_level);
    }
}

unsigned RootedTree::level(unsigned router) const {
    const auto above = std::upper_bound(first_.begin(), first_.end(), router);
    return static_cast<unsigned>(above - first_.begin()) - 1;
}

unsigned RootedTree::parent(unsigned router) const {
    const unsigned l = level(router);
    return first_[l - 1] + (router - first_[l]) / children_[l - 1];
}

void RootedTree::connect(NetworkGraph& graph, unsigned parallel, unsigned latency_cycles) const {
    for (unsigned r = 1; r < routers(); ++r)
        for (unsigned p = 0; p < parallel; ++p) graph.connect(parent(r), r, latency_cycles);
}

std::vector<RouteStep> RootedTreeRouting::steps(unsigned router, unsigned target, RouteLeg leg) const {
    std::vector<RouteStep> found;
    if (router == target) return found;
    // The ancestor of the target one level below the router is the next one down, if it is a child of the router.
    unsigned below = target;
    while (tree_.level(below) > tree_.level(router) + 1) below = tree_.parent(below);
    const bool down = tree_.level(below) > tree_.level(router) && tree_.parent(below) == router;
    channels().add_steps(router, down ? below : tree_.parent(router), vcs(leg), found);
    return found;
}

unsigned RootedTreeRouting::hops(unsigned router, unsigned target) const {
    unsigned count = 0;
    while (router != target) {
        unsigned& lower = tree_.level(router) > tree_.level(target) ? router : target;
        lower = tree_.parent(lower);
        ++count;
    }
    return count;
}

Topology make_rooted_tree(const TopologySpec& spec, const Place& place) {
    const std::uint64_t leaves = product_of_dimensions(spec, place);
    std::uint64_t routers = 1, in_level = 1;
    for (const unsigned n : spec.dimensions) routers += in_level *= n;
    RootedTree tree(spec.dimensions);
    const auto router_of = [&](unsigned n) { return tree.first_leaf() + n / spec.concentration; };
    const NetworkSize size{routers, routers - 1, leaves * spec.concentration};
    Topology made{nodes_without_channels(spec, size, router_of, place), nullptr};
    tree.connect(made.graph, spec.parallel_channels, spec.channel_cycles);
    made.routing = std::make_unique<RootedTreeRouting>(std::move(tree), made.graph, spec);
    return made;
}

} // namespace numavp
