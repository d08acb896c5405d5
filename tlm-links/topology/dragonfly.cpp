#include "tlm-links/topology/dragonfly.h"

#include "tlm-links/topology/groups.h"
#include "tlm-links/topology/node_network.h"

namespace numavp {

Topology make_dragonfly(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 2, 2, "routers of a group, then groups", place);
    const auto routers = product_of_dimensions(spec, place);
    const Groups groups{spec.dimensions[0], spec.dimensions[1]};
    const auto router_of = [&](unsigned n) { return n / spec.concentration; };
    const NetworkSize size{routers, groups.channels(), routers * spec.concentration};
    Topology made{nodes_without_channels(spec, size, router_of, place), nullptr};
    groups.connect(made.graph, spec.parallel_channels, spec.channel_cycles);
    made.routing = std::make_unique<GroupRouting>(groups, made.graph, spec);
    return made;
}

} // namespace numavp
