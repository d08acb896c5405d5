#include "tlm-links/topology/topology.h"

#include <algorithm>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/values/error.h"
#include "tlm-links/topology/butterfly.h"
#include "tlm-links/topology/cube_network.h"
#include "tlm-links/topology/groups.h"
#include "tlm-links/topology/node_network.h"
#include "tlm-links/topology/rooted_tree.h"

namespace numavp {
namespace {

/// Cubes on a grid: how slices are wired, and within each slice the clusters, which stand as `place_clusters` says.
struct CubeGrid {
    GridWiring slices, clusters;
    std::vector<unsigned> (*place_clusters)(const TopologySpec&, const Place&);
};
/// Nodes on a grid of routers, with as many dimensions as are allowed, and what a dimension says.
struct NodeGrid {
    std::size_t most_dimensions;
    const char* dimension;
    GridWiring wiring;
};
/// Nodes at the leaves of a tree, with the numbers of levels that are allowed, and what a dimension says.
struct NodeTree {
    std::size_t least_levels, most_levels;
    const char* dimension;
};
using Maker = Topology (*)(const TopologySpec&, const Place&);

struct TopologyRow {
    TopologyKind kind;
    std::variant<CubeGrid, NodeGrid, NodeTree, Maker> shape;
    unsigned least_vcs; ///< virtual channels that minimal routing takes
    unsigned ugal_vcs;  ///< that UGAL takes; 0: there is no UGAL
};

constexpr GridWiring kApart = GridWiring::apart, kLine = GridWiring::line, kCircle = GridWiring::ring,
                     kFull = GridWiring::full;
constexpr const char* kNumber = "the number of routers";
constexpr const char* kEach = "the routers in each";
constexpr const char* kHub = "the routers around the hub";
constexpr const char* kChildrenOfATree = "the children of a router at each level, from the root";

const TopologyRow kTopologyRows[] = {
    {TopologyKind::sfbfly, CubeGrid{kApart, kFull, cluster_rectangle}, 1, 2},
    {TopologyKind::dfbfly, CubeGrid{kFull, kFull, cluster_rectangle}, 1, 2}, // packets turn in the cluster first
    {TopologyKind::ddfly, make_cube_groups, GroupRouting::kVcs, GroupRouting::kUgalVcs},
    {TopologyKind::smesh, CubeGrid{kApart, kLine, cluster_mesh}, 1, 0},
    {TopologyKind::storus, CubeGrid{kApart, kCircle, cluster_rectangle}, 2, 0},
    {TopologyKind::cube_ring, make_cube_ring, 2, 0},
    {TopologyKind::star, NodeTree{0, 1, kHub}, 1, 0},
    {TopologyKind::ring, NodeGrid{1, kNumber, kCircle}, 2, 0},
    {TopologyKind::line, NodeGrid{1, kNumber, kLine}, 1, 0},
    {TopologyKind::mesh, NodeGrid{kMostDimensions, kEach, kLine}, 1, 2},
    {TopologyKind::torus, NodeGrid{kMostDimensions, kEach, kCircle}, 2, 0},
    {TopologyKind::tree, NodeTree{1, kMostDimensions, kChildrenOfATree}, 1, 0},
    {TopologyKind::flattened_butterfly, NodeGrid{kMostDimensions, kEach, kFull}, 1, 2},
    {TopologyKind::dragonfly, make_node_groups, GroupRouting::kVcs, GroupRouting::kUgalVcs},
    {TopologyKind::butterfly, make_butterfly, 1, 0},
};
static_assert(std::size(kTopologyRows) == kTopologies.size());

Topology make_shape(const CubeGrid& shape, const TopologySpec& spec, const Place& place) {
    std::vector<GridDimension> grid{{spec.routers_per_processor, shape.slices}};
    for (const unsigned size : shape.place_clusters(spec, place)) grid.push_back({size, shape.clusters});
    return make_cube_grid(spec, grid, place);
}
Topology make_shape(const NodeGrid& shape, const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 1, shape.most_dimensions, shape.dimension, place);
    return make_node_grid(spec, shape.wiring, place);
}
Topology make_shape(const NodeTree& shape, const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, shape.least_levels, shape.most_levels, shape.dimension, place);
    return make_rooted_tree(spec, place);
}
Topology make_shape(Maker make, const TopologySpec& spec, const Place& place) { return make(spec, place); }

void check_counts(const TopologySpec& spec, const Place& place) {
    const auto positive = [&](unsigned value, const char* name) {
        if (value == 0) throw ConfigError(place.at(name), fmt::format("{} is 0; it must be at least 1", name));
    };
    positive(spec.processors, "processors");
    positive(spec.routers_per_processor, "routers_per_processor");
    positive(spec.channels_per_router, "channels_per_router");
    positive(spec.terminals_per_router, "terminals_per_router");
    positive(spec.concentration, "concentration");
    positive(spec.parallel_channels, "parallel_channels");
    positive(spec.virtual_channels, "virtual_channels");
}

std::string allowed_routings(const TopologyRow& row) {
    std::vector<std::string> names{"'minimal'"};
    if (row.ugal_vcs != 0) names.emplace_back("'ugal'");
    if (has_clusters(row.kind)) names.emplace_back("'adaptive_entry' (of GPUs in a system)");
    return fmt::format("{} {}", names.size() == 1 ? "is" : "are", fmt::join(names, " and "));
}

void check_routing_kind(const TopologySpec& spec, const TopologyRow& row, const Place& place, const Place& routing) {
    const bool ugal = spec.routing == RoutingKind::ugal;
    const std::string_view name = kTopologies.name(spec.topology);
    if ((ugal && row.ugal_vcs == 0) || (spec.routing == RoutingKind::adaptive_entry && !has_clusters(row.kind)))
        throw ConfigError(routing, fmt::format("{} has no {} routing; allowed {}", name, kRoutings.name(spec.routing),
                                               allowed_routings(row)));
    const unsigned least = ugal ? row.ugal_vcs : row.least_vcs;
    if (spec.virtual_channels < least)
        throw ConfigError(place.at("virtual_channels"),
                          fmt::format("{} routing on {} can't be kept from deadlock with {}; at least {} are needed",
                                      kRoutings.name(spec.routing), name, spec.virtual_channels, least));
}

} // namespace

Topology make_topology(const TopologySpec& spec, const Place& place, const std::optional<Place>& routing) {
    const auto* const row = std::find_if(std::begin(kTopologyRows), std::end(kTopologyRows),
                                         [&](const TopologyRow& r) { return r.kind == spec.topology; });
    check_counts(spec, place);
    check_routing_kind(spec, *row, place, routing.value_or(place.at("routing")));
    return std::visit([&](const auto& shape) { return make_shape(shape, spec, place); }, row->shape);
}

} // namespace numavp
