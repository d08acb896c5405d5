/// Topologies by name: makes a graph and its routing of a few numbers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_place.h"
#include "base/values/name_table.h"
#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/graph/routing.h"

namespace numavp {

/// What each network is, and what TopologySpec::dimensions are there.
enum class TopologyKind : unsigned char {
    // Networks of memory cubes (memory networks, sections V and VI): each processor has `routers_per_processor` of
    // them, its cluster. Dimensions are those of the grid of clusters, cube i of all clusters being slice i; by default
    // one dimension for few processors, else the squarest rectangle (cube_network.h).
    sfbfly,    ///< sliced flattened butterfly (section V-B): each slice in a flattened butterfly
    dfbfly,    ///< distributed flattened butterfly (Figure 11c): sfbfly's channels and each cluster fully connected
    ddfly,     ///< distributed dragonfly (Figure 11a): each cluster fully connected and a channel for each pair of
               ///< clusters; no dimensions
    smesh,     ///< sliced mesh (section VI-C)
    storus,    ///< sliced torus (section VI-C); two clusters in a dimension have one channel
    cube_ring, ///< all cubes in one ring in the order of their numbers (Figure 9); no dimensions
    // Networks of nodes, `concentration` of them at each router. Two routers in a ring have one channel.
    star,  ///< a hub without nodes and routers around it, their number; by default one router alone, with all nodes
    ring,  ///< the number of routers
    line,  ///< the number of routers
    mesh,  ///< routers in each dimension
    torus, ///< routers in each dimension
    tree,  ///< the children of a router at each level, from the root; nodes are at the leaves
    flattened_butterfly, ///< routers in each dimension; those that differ in one coordinate are fully connected
    dragonfly,           ///< routers of a group, fully connected, and groups, with one channel for each two
    butterfly            ///< a crossbar of two stages: the routers of each (butterfly.h)
};
/// True for networks of memory cubes.
constexpr bool has_clusters(TopologyKind kind) { return kind < TopologyKind::star; }

enum class RoutingKind : unsigned char { minimal, ugal, adaptive_entry };
/// By which terminal a processor's packet enters a network of cubes.
enum class EntryKind : unsigned char {
    slice,   ///< at the cube of its cluster that is in the destination's slice
    nearest, ///< at the cube of its cluster with the fewest hops to the destination
    random   ///< at any cube of its cluster
};

inline constexpr NameTable<TopologyKind> kTopologies{
    "topology",
    {{TopologyKind::sfbfly, "sfbfly", "Cubes: cube i of all processors in a flattened butterfly of its own."},
     {TopologyKind::dfbfly, "dfbfly", "Cubes: sfbfly, and the cubes of each processor fully connected."},
     {TopologyKind::ddfly, "ddfly", "Cubes: those of a processor fully connected, a channel for each two processors."},
     {TopologyKind::smesh, "smesh", "Cubes: cube i of all processors in a mesh of its own."},
     {TopologyKind::storus, "storus", "Cubes: cube i of all processors in a torus of its own."},
     {TopologyKind::cube_ring, "cube_ring", "Cubes: all in one ring."},
     {TopologyKind::star, "star", "Nodes: routers around a hub, or one router alone."},
     {TopologyKind::ring, "ring", "Nodes: routers in a ring."},
     {TopologyKind::line, "line", "Nodes: routers in a line."},
     {TopologyKind::mesh, "mesh", "Nodes: routers in a mesh of any number of dimensions."},
     {TopologyKind::torus, "torus", "Nodes: routers in a torus of any number of dimensions."},
     {TopologyKind::tree, "tree", "Nodes: at the leaves of a tree of routers."},
     {TopologyKind::flattened_butterfly, "flattened_butterfly",
      "Nodes: routers that differ in one coordinate are fully connected."},
     {TopologyKind::dragonfly, "dragonfly", "Nodes: fully connected groups, a channel for each two groups."},
     {TopologyKind::butterfly, "butterfly",
      "Nodes: at a crossbar of two stages; responses go back as requests came."}}};

inline constexpr NameTable<RoutingKind> kRoutings{
    "routing",
    {{RoutingKind::minimal, "minimal", "The way with the fewest hops that the topology's rule allows."},
     {RoutingKind::ugal, "ugal", "By way of a random router where the queues of the minimal way are long (UGAL-L)."},
     {RoutingKind::adaptive_entry, "adaptive_entry",
      "Minimal, and a GPU's request enters a network of cubes where its way has the least waiting."}}};

inline constexpr NameTable<EntryKind> kEntries{
    "entry",
    {{EntryKind::slice, "slice", "At the cube of the processor that is in the destination's slice."},
     {EntryKind::nearest, "nearest", "At the cube of the processor with the fewest hops to the destination."},
     {EntryKind::random, "random", "At any cube of the processor."}}};

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
    /// Sizes of a slice (product: processors) or of a network of nodes: TopologyKind says what they are, and what an
    /// empty list means.
    std::vector<unsigned> dimensions;
    /// Butterfly: terminals of each endpoint for its requests, and for requests to it; empty: one of each per node.
    std::vector<unsigned> asking, serving;
    unsigned slices = 0; ///< of an endpoint that serves at more terminals than it has slices; 0: none does
    /// Endpoints after all nodes, at the first router beside its others; in a butterfly at that of either stage.
    unsigned guests = 0;
    unsigned concentration = 1;     ///< nodes at each router of a network of nodes
    unsigned parallel_channels = 1; ///< channels in the place of each between routers: 2 in the paper's -2x forms
    unsigned channel_cycles = 4;    ///< latency between routers
    unsigned processor_cycles = 4;  ///< latency of a processor's terminals, and of a node's
    unsigned terminal_cycles = 1;   ///< latency of a cube's vault terminals
    unsigned virtual_channels = 6;  ///< of a message class
};

struct Topology {
    NetworkGraph graph;
    std::unique_ptr<Routing> routing; ///< refers to nothing of the graph
};

/// Makes the network of `spec`; ConfigError with one sentence at `place` of the file if it does not exist. `routing` is
/// the place of the routing setting, if not at `place`.
Topology make_topology(const TopologySpec& spec, const Place& place, const std::optional<Place>& routing = {});

} // namespace numavp
