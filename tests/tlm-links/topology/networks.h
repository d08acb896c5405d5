/// Networks for the tests of topologies.
#pragma once

#include <string>
#include <vector>

#include "tlm-links/topology/topology.h"

namespace numavp::test {

inline TopologySpec cubes(TopologyKind kind, unsigned processors = 4, EntryKind entry = EntryKind::slice) {
    TopologySpec spec;
    spec.topology = kind;
    spec.processors = processors;
    spec.entry = entry;
    return spec;
}

inline TopologySpec nodes(TopologyKind kind, std::vector<unsigned> dimensions, unsigned concentration = 1) {
    TopologySpec spec;
    spec.topology = kind;
    spec.dimensions = std::move(dimensions);
    spec.concentration = concentration;
    return spec;
}

inline TopologySpec with_dimensions(TopologySpec spec, std::vector<unsigned> dimensions) {
    spec.dimensions = std::move(dimensions);
    return spec;
}

inline Topology made(const TopologySpec& spec) { return make_topology(spec, "test"); }

/// Routers that a packet visits in the mean, over all requesters and all destinations alike: cubes, or nodes.
double mean_routers(const Topology& topology);

} // namespace numavp::test
