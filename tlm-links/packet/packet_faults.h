/// Deliberate faults of routers and networks, for tests/network/mutants alone.
#pragma once

namespace numavp {

enum PacketFault : unsigned {
    kLosesCredits = 101,  ///< of virtual channel 0
    kDoublesCredits,      ///< each returns twice
    kIgnoresCredits,      ///< flits leave without one
    kDelaysCredits,       ///< by a cycle
    kKeepsChannel,        ///< an output's virtual channel is not free after the tail
    kFreesChannelAtHead,  ///< it is free when the head has left
    kTakesTakenChannel,   ///< channels are given to who asks, free or not
    kGrantsLowestInput,   ///< an output's pointer stays
    kAcceptsLowestOutput, ///< an input's pointer stays
    kServesLowestVc,      ///< an input's pointer among virtual channels stays
    kSkipsRoutingStage,   ///< a head asks for a channel in the cycle in which it comes
    kRoutesNextLate,      ///< a packet behind a tail is routed a cycle later
    kForgetsRoundRobinVc, ///< a free channel grants the first input, not the one in turn
    kIgnoresOrder,        ///< keys of order are not looked at
    kDrawsFirstStep,      ///< of several ways always the first
    kPrefersLongWay,      ///< UGAL compares the wrong way round
    kLosesPacket,         ///< one in 64 does not arrive
    kDeliversTwice,       ///< one in 64 does so twice
    kCountsRouterTwice,   ///< in `Packet::routers`
    kEjectsEarly          ///< a packet arrives a cycle before its last flit
};

} // namespace numavp
