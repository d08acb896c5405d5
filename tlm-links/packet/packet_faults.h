/// Deliberate faults of routers and networks, for tests/network/mutants alone.
#pragma once

namespace numavp {

enum PacketFault : unsigned {
    kLosesCredits = 101,    ///< of virtual channel 0
    kDoublesCredits,        ///< each returns twice
    kIgnoresCredits,        ///< flits leave without one
    kDelaysCredits,         ///< by a cycle
    kKeepsChannel,          ///< an output's virtual channel is not free after the tail
    kFreesChannelAtHead,    ///< it is free when the head has left
    kTakesTakenChannel,     ///< channels are granted on request, free or not
    kGrantsLowestInput,     ///< an output's pointer stays
    kAcceptsLowestOutput,   ///< an input's pointer stays
    kServesLowestVc,        ///< an input's pointer among virtual channels stays
    kSkipsRoutingStage,     ///< a head asks for a channel in the cycle in which it comes
    kRoutesNextLate,        ///< a packet behind a tail is routed a cycle later
    kForgetsRoundRobinVc,   ///< a free channel grants the first input, not the one in turn
    kIgnoresOrder,          ///< keys of order are not looked at
    kForgetsFlows,          ///< UGAL chooses for each packet anew, whatever is on its way with the same key
    kDrawsFirstStep,        ///< of several ways always the first
    kPrefersLongWay,        ///< UGAL compares the wrong way round
    kLosesPacket,           ///< one in 64 does not arrive
    kDeliversTwice,         ///< one in 64 does so twice
    kCountsRouterTwice,     ///< in `Packet::routers`
    kEjectsEarly,           ///< a packet arrives a cycle before its last flit
    kIgnoresInterval,       ///< slow outputs take a flit each cycle
    kPassesQueue,           ///< a packet passes those that wait at the same input
    kPassesIntoFlits,       ///< a packet passes behind flits that are still in the router's stages
    kPassesBesideOthers,    ///< an output sends others while a packet passes
    kForgetsRestOfInterval, ///< a slow output begins with a whole cycle again
    kForgetsOverhead,       ///< packets take their flits on a channel with a format
    kDelaysNoHead,          ///< an overhead does not delay the head behind it
    // of the modules around them
    kSendsWithoutRoom, ///< an interface does not look at its room
    kKeepsRoom,        ///< an interface gives no room back
    kGivesRoomTwice,   ///< it does so twice
    kGivesOtherRoom,   ///< of the next virtual channel
    kSendsToNext,      ///< packets go to the next terminal
    kAnswersNext,      ///< a request is said to come from the next terminal
    kMixesClasses,     ///< responses go as requests
    kForgetsKey,       ///< packets have no key of order
    kShortPackets,     ///< a packet is a flit short
    kDropsRequest,     ///< one request in 64 is taken and not handed on
    kTakesInLate,      ///< a network takes arriving packets in two edges later
    kKeepsInjectRoom,  ///< a network gives no room back
    kHandsOverLate,    ///< packets are handed over two edges later
    kEntersAnywhere,   ///< an endpoint sends by a terminal that does not lead there
    kEntersByTurns,    ///< packets of a line take the terminals in turn
    kCountsNoRouters,  ///< of what has crossed the network
    // of AdaptiveEntry
    kEntersWhereMostWait, ///< it compares free flits
    kEntersAtFirst,       ///< of several equals always at the first
    kFollowsNobody,       ///< it chooses for each request anew, whatever is on its way with the same line
    kFollowsForEver       ///< a line keeps its terminal when all its requests have responses
};

} // namespace numavp
