/// Packages from distances of NUMA nodes, where no file names packages.
#pragma once

#include <cstddef>
#include <vector>

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

} // namespace numavp
