/// Packages from distances of NUMA nodes, where no file names packages.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "communication/import/id_set.h"

namespace numavp {

/// Distances of NUMA nodes, in rows of the same length; 0: not known.
using DistanceRows = std::vector<std::vector<unsigned>>;

struct NodeGroups {
    std::vector<std::size_t> of_node; ///< number of each node's group, from 0 in the order of the nodes
    unsigned within = 0;              ///< greatest distance inside a group; 0: each node is one by itself
};

/// Nodes that are parts of one package (NPS4, sub-NUMA clusters): those within a distance below 20, the ACPI's of
/// another package, if that parts all nodes into groups that are at least twice as far from each other, counted from
/// the 10 of a node itself. All nodes are one group only up to 13: 15 and 16 are also distances of packages.
NodeGroups groups_by_distance(const DistanceRows& distances);

/// A NUMA node as a file names it; without a number or CPUs where it does not.
struct NodeCpus {
    std::optional<unsigned> node;
    IdSet cpus;
};

/// Number of each node's package, 0 or 1, if the nodes are parts of packages: three or more of eight or more. The CPUs
/// of a node are two ranges, "48-63,176-191": cores, and their second threads behind all cores, so that the number of
/// nodes follows. From eight on, packages are cut into nodes (NPS4, sub-NUMA clusters), since machines with GPUs have
/// two packages: nodes of the lower half are at the first. None if the nodes have other numbers.
std::optional<std::vector<std::size_t>> halves_of_nodes(const std::vector<NodeCpus>& nodes);

} // namespace numavp
