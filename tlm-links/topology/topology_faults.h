/// The deliberate faults of topologies and their routing, for `mutant()`: tests choose one by its number.
#pragma once

namespace numavp {

enum TopologyFault : unsigned {
    kNoTopologyFault,
    // NetworkGraph
    kPairsWithItself,
    // Grid
    kForgetsChannel,
    kForgetsParallelChannels,
    kHopsOffByOne,
    kLastDimensionFirst,
    kGoesTheLongWay,
    kNeverGoesDownAtEqualDistance,
    kSwapsDatelineSides,
    kMergesDatelineHalves,
    kWrapsWrongAtEqualDistance,
    // Groups
    kShiftsGateways,
    kMergesGroupHalves,
    kTakesGroupChannelOnUpperHalf,
    // RootedTree
    kTurnsDownAtOnce,
    // TopologyRouting, node_network
    kMergesUgalLegs,
    kGoesByWayOfTarget,
    kEntersAtNextSlice,
    kEntersAtFarthest,
    kLaysNodesInARow,
    // TableRouting
    kTurnsUpAgain,
    kMergesHopClasses,
    // find_circle
    kCheckSkipsTurnOfLegs,
    kTopologyFaults ///< one more than the last
};

} // namespace numavp
