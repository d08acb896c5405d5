/// Topologies by name: from a few numbers to a graph and its routing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/base/config_place.h"
#include "models/base/name_table.h"
#include "tlm-links/topology/network_graph.h"
#include "tlm-links/topology/routing.h"

namespace numavp {

enum class TopologyKind : unsigned char {
    // Networks of memory cubes: each processor has `routers_per_processor` of them, its cluster.
    sfbfly,    ///< sliced flattened butterfly: cube i of all clusters
    dfbfly,    ///< distributed flattened butterfly: sfbfly's channels and each cluster fully connected
    ddfly,     ///< distributed dragonfly: each cluster fully connected and a channel for each pair of clusters
    smesh,     ///< sliced mesh
    storus,    ///< sliced torus
    cube_ring, ///< all cubes in one ring
    // Networks of nodes, `concentration` of them at each router.
    star,
    ring,
    line,
    mesh,
    torus,
    tree,
    flattened_butterfly,
    dragonfly
};
enum class RoutingKind : unsigned char { minimal, ugal };
/// By which terminal a processor's packet enters a network of cubes.
enum class EntryKind : unsigned char {
    slice,   ///< at the cube of its cluster that is in the destination's slice
    nearest, ///< at the cube of its cluster with the fewest hops to the destination
    random   ///< at any cube of its cluster
};

struct TopologySpec {
    TopologyKind topology = TopologyKind::sfbfly;
    RoutingKind routing = RoutingKind::minimal;
    EntryKind entry = EntryKind::slice;
    // networks of cubes
    unsigned processors = 4;
    unsigned routers_per_processor = 4;
    unsigned channels_per_router = 2;  ///< of a processor to each of its cubes
    unsigned terminals_per_router = 4; ///< of a cube's vaults
    // both
    std::vector<unsigned> dimensions; ///< of a slice (product: processors), or of the routers of a network of nodes
    unsigned concentration = 1;       ///< nodes at each router of a network of nodes
    unsigned parallel_channels = 1;   ///< channels in the place of each between routers: 2 in the paper's -2x forms
    unsigned channel_cycles = 4;      ///< latency between routers
    unsigned processor_cycles = 4;    ///< latency of a processor's terminals, and of a node's
    unsigned terminal_cycles = 1;     ///< latency of a cube's vault terminals
    unsigned virtual_channels = 6;    ///< of a message class
    unsigned router_channels = 0;     ///< that a router has to routers and processors; 0: as many as are needed
};

struct Topology {
    NetworkGraph graph;
    std::unique_ptr<Routing> routing; ///< refers to nothing of the graph
};

/// Builds what `spec` says; ConfigError with one sentence if there is no such network, at `place` of the file.
Topology make_topology(const TopologySpec& spec, const Place& place);

} // namespace numavp
