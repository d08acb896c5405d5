/// What a specification amounts to, worked out apart from the product: coordinates of routers, groups, distances.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm-links/topology/topology.h"

namespace numavp::test {

bool of_cubes(TopologyKind kind);
bool of_groups(TopologyKind kind); ///< dragonflies
bool of_trees(TopologyKind kind);
bool sliced(TopologyKind kind);
bool wraps(TopologyKind kind); ///< rings and tori
bool has_ugal(TopologyKind kind);

/// Sizes of the grid's dimensions, for cubes the slice first; for dragonflies routers of a group and groups.
std::vector<unsigned> shape(const TopologySpec& spec);

unsigned coordinate(const std::vector<unsigned>& sizes, unsigned router, unsigned dimension);

/// Channels between routers, both directions as one, by formula.
std::uint64_t count_channels(const TopologySpec& spec);

/// Hops from `from` to each router by breadth first search; kNoWay where there is no way.
std::vector<unsigned> distances(const NetworkGraph& graph, unsigned from);

} // namespace numavp::test
