/// Positions of a network's routers in a drawing. They follow the structure of the topology, so that rows, slices,
/// groups and levels are visible. Plain data for texts, reports and drawings of systems; lengths are pixels.
#pragma once

#include <vector>

#include "tlm-links/topology/topology.h"

namespace numavp {

struct LayoutPoint {
    double x = 0;
    double y = 0;
};

/// The cubes of a processor, or the routers of a group.
struct LayoutCluster {
    LayoutPoint low, high;         ///< opposite corners of a frame around it
    bool framed = true;            ///< the frame holds nothing else and is worth drawing
    bool has_processor = false;    ///< false: a group of routers without a processor
    unsigned endpoint = 0;         ///< the processor, if there is one
    LayoutPoint processor;         ///< its centre
    std::vector<unsigned> routers; ///< indices
};

struct NetworkLayout {
    double width = 0, height = 0;
    bool rows = false;                ///< routers stand in rows and columns
    std::vector<LayoutPoint> routers; ///< centres
    std::vector<LayoutCluster> clusters;
    /// For each channel: distance from the middle of its curve to the straight line, positive to the right of its
    /// direction on the screen. Not 0 where the line would pass through other routers, or where channels are parallel.
    std::vector<double> bends;
};

/// Size of the boxes for which the layout reserves room.
inline constexpr double kRouterWidth = 36, kRouterHeight = 22, kProcessorWidth = 58, kProcessorHeight = 24;

/// Cubes: clusters in a row, or in their rectangle with the cubes of each on its diagonal, so that the channels of each
/// slice have separate rows and columns; dragonflies: groups in a circle; rings: a circle. Nodes: the grid's
/// coordinates, levels of a tree, else a circle.
NetworkLayout network_layout(const NetworkGraph& graph, const TopologySpec& spec);

} // namespace numavp
