/// Groups of fully connected routers with one channel for each two groups, and routing from group to group:
/// dragonflies.
#pragma once

#include <cstdint>

#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/topology_routing.h"

namespace numavp {

/// Groups of routers; router i of a group has the number routers_per_group * group + i.
struct Groups {
    unsigned routers_per_group = 1;
    unsigned groups = 1;

    unsigned routers() const { return routers_per_group * groups; }
    /// Number of channels, both directions as one, parallel ones as one.
    std::uint64_t channels() const;
    /// The router of `group` that has the channel to `other`: channels to the other groups, in their order, are dealt
    /// out to the routers of the group in turn.
    unsigned gateway(unsigned group, unsigned other) const {
        return group * routers_per_group + (other < group ? other : other - 1) % routers_per_group;
    }
    /// Adds the channels to a graph that has the routers, `parallel` between each two: first within the groups.
    void connect(NetworkGraph& graph, unsigned parallel, unsigned latency_cycles) const;
};

/// Within the group to the gateway, to the target's group, there to the target. Lower half of the virtual channels up
/// to and on the channel between groups, upper half in the target's group. With UGAL both legs do so, each with its own
/// virtual channels: of six 0, 1, 2-3 and 4-5.
class GroupRouting final : public TopologyRouting {
  public:
    static constexpr unsigned kVcs = 2;     ///< at least
    static constexpr unsigned kUgalVcs = 4; ///< at least

    GroupRouting(const Groups& groups, const NetworkGraph& graph, const TopologySpec& spec)
        : TopologyRouting(graph, spec), groups_(groups), virtual_channels_(spec.virtual_channels) {}

    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override;
    unsigned hops(unsigned router, unsigned target) const override;

  private:
    VcRange range(RouteLeg leg, bool arrived) const;

    Groups groups_;
    unsigned virtual_channels_;
};

/// Clusters of cubes as groups. No TopologySpec::dimensions.
Topology make_cube_groups(const TopologySpec& spec, const Place& place);
/// Nodes: TopologySpec::dimensions are the routers of a group and the groups.
Topology make_node_groups(const TopologySpec& spec, const Place& place);

} // namespace numavp
