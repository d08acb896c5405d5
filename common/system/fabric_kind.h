/// Names in a system's file of what joins sockets: a switch, wires and their shapes, topologies.
#pragma once

#include "base/values/name_table.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

/// What joins the links of sockets: a switch, wires of the file, or a topology. A new topology is one of them by its
/// row of kTopologies; it needs an enumerator here only if code names it.
constexpr unsigned char fabric_number(TopologyKind kind) {
    constexpr unsigned char kOthers = 2;
    return static_cast<unsigned char>(kOthers + static_cast<unsigned char>(kind));
}
enum class FabricKind : unsigned char {
    single_switch,
    wires,
    star = fabric_number(TopologyKind::star),
    ring = fabric_number(TopologyKind::ring),
    line = fabric_number(TopologyKind::line),
    mesh = fabric_number(TopologyKind::mesh),
    torus = fabric_number(TopologyKind::torus),
    tree = fabric_number(TopologyKind::tree),
    flattened_butterfly = fabric_number(TopologyKind::flattened_butterfly),
    dragonfly = fabric_number(TopologyKind::dragonfly),
    butterfly = fabric_number(TopologyKind::butterfly),
    sfbfly = fabric_number(TopologyKind::sfbfly),
    dfbfly = fabric_number(TopologyKind::dfbfly),
    ddfly = fabric_number(TopologyKind::ddfly),
    smesh = fabric_number(TopologyKind::smesh),
    storus = fabric_number(TopologyKind::storus),
    cube_ring = fabric_number(TopologyKind::cube_ring)
};
constexpr FabricKind fabric_of(TopologyKind kind) { return static_cast<FabricKind>(fabric_number(kind)); }
/// The topology of a fabric that has one.
constexpr TopologyKind topology_of(FabricKind kind) {
    return static_cast<TopologyKind>(static_cast<unsigned char>(kind) - fabric_number(TopologyKind{}));
}

inline constexpr NameTable<FabricKind> kFabrics{
    "fabric",
    {{FabricKind::single_switch, "switch", "One switch, as the section switch says."},
     {FabricKind::wires, "wires", "Routers joined as the list network.wires says."}},
    kTopologies,
    fabric_of};

/// True for a network of memory cubes: GPUs with several terminals, and cubes with a router each.
constexpr bool has_cubes(FabricKind kind) {
    return kind != FabricKind::single_switch && kind != FabricKind::wires && has_clusters(topology_of(kind));
}
/// Shape of the channels among the parts of a list: each with each, or those of a topology of nodes.
enum class WireShape : unsigned char { each, ring, line, mesh, torus, flattened_butterfly, dragonfly };

inline constexpr NameTable<WireShape> kWireShapes{
    "shape",
    {{WireShape::each, "each", "Each with each other."},
     {WireShape::ring, "ring", "A ring in their order."},
     {WireShape::line, "line", "A line in their order."},
     {WireShape::mesh, "mesh", "A mesh of any number of dimensions."},
     {WireShape::torus, "torus", "A torus of any number of dimensions."},
     {WireShape::flattened_butterfly, "flattened_butterfly", "Those that differ in one coordinate, each with each."},
     {WireShape::dragonfly, "dragonfly", "Groups, each with each inside, a channel for each two groups."}}};

} // namespace numavp
