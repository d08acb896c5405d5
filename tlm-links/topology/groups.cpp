#include "tlm-links/topology/groups.h"

#include <algorithm>

#include "tlm-links/topology/cube_network.h"
#include "tlm-links/topology/node_network.h"

namespace numavp {

std::uint64_t Groups::channels() const {
    const std::uint64_t g = groups, r = routers_per_group;
    return g * (r * (r - 1) / 2) + g * (g - 1) / 2;
}

void Groups::connect(NetworkGraph& graph, unsigned parallel, unsigned latency_cycles) const {
    const auto join = [&](unsigned a, unsigned b) {
        for (unsigned p = 0; p < parallel; ++p) graph.connect(a, b, latency_cycles);
    };
    for (unsigned g = 0; g < groups; ++g)
        for (unsigned i = 0; i < routers_per_group; ++i)
            for (unsigned j = i + 1; j < routers_per_group; ++j)
                join(g * routers_per_group + i, g * routers_per_group + j);
    for (unsigned a = 0; a < groups; ++a)
        for (unsigned b = a + 1; b < groups; ++b) join(gateway(a, b), gateway(b, a));
}

VcRange GroupRouting::range(RouteLeg leg, bool arrived) const {
    if (!ugal()) return arrived ? upper_half(vcs(leg)) : lower_half(vcs(leg));
    // The way to the intermediate has a third of them, at least 2: it is taken by some packets only.
    const unsigned first_leg = std::max(1U, virtual_channels_ / 6);
    const VcRange second{2 * first_leg, virtual_channels_};
    if (leg == RouteLeg::to_destination) return arrived ? upper_half(second) : lower_half(second);
    return arrived ? VcRange{first_leg, 2 * first_leg} : VcRange{0, first_leg};
}

std::vector<RouteStep> GroupRouting::steps(unsigned router, unsigned target, RouteLeg leg) const {
    std::vector<RouteStep> found;
    const unsigned here = router / groups_.routers_per_group, there = target / groups_.routers_per_group;
    if (router == target) return found;
    if (here == there) {
        channels().add_steps(router, target, range(leg, true), found);
        return found;
    }
    const unsigned out = groups_.gateway(here, there);
    const unsigned next = router == out ? groups_.gateway(there, here) : out;
    channels().add_steps(router, next, range(leg, false), found);
    return found;
}

unsigned GroupRouting::hops(unsigned router, unsigned target) const {
    if (router == target) return 0;
    const unsigned here = router / groups_.routers_per_group, there = target / groups_.routers_per_group;
    if (here == there) return 1;
    return (router != groups_.gateway(here, there) ? 1 : 0) + 1 + (target != groups_.gateway(there, here) ? 1 : 0);
}

Topology make_cube_groups(const TopologySpec& spec, const Place& place) {
    refuse_dimensions(spec, place);
    const Groups groups{spec.routers_per_processor, spec.processors};
    Topology made{cubes_without_channels(spec, groups.channels(), place), nullptr};
    groups.connect(made.graph, spec.parallel_channels, spec.channel_cycles);
    made.routing = std::make_unique<GroupRouting>(groups, made.graph, spec);
    return made;
}

Topology make_node_groups(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 2, 2, "routers of a group, then groups", place);
    const std::uint64_t routers = product_of_dimensions(spec, place);
    const Groups groups{spec.dimensions[0], spec.dimensions[1]};
    const auto router_of = [&](unsigned n) { return n / spec.concentration; };
    const NetworkSize size{routers, groups.channels(), routers * spec.concentration};
    Topology made{nodes_without_channels(spec, size, router_of, place), nullptr};
    groups.connect(made.graph, spec.parallel_channels, spec.channel_cycles);
    made.routing = std::make_unique<GroupRouting>(groups, made.graph, spec);
    return made;
}

} // namespace numavp
