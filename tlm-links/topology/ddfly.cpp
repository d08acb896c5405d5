#include "tlm-links/topology/ddfly.h"

#include "tlm-links/topology/cube_network.h"
#include "tlm-links/topology/groups.h"

namespace numavp {

Topology make_ddfly(const TopologySpec& spec, const Place& place) {
    refuse_dimensions(spec, place);
    const Groups groups{spec.routers_per_processor, spec.processors};
    Topology made{cubes_without_channels(spec, groups.channels(), place), nullptr};
    groups.connect(made.graph, spec.parallel_channels, spec.channel_cycles);
    made.routing = std::make_unique<GroupRouting>(groups, made.graph, spec);
    return made;
}

} // namespace numavp
