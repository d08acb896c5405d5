/// The kinds of arbiters of a machine and the order in which they act, for `Rank` (base/time/clockwork.h).
///
/// One list for all modules, so that no two kinds get the same place.
#pragma once

#include <cstdint>

namespace numavp {

/// Kinds of arbiters in the order in which they act within a socket. The system's own parts use the
/// socket number `kSystemRank`, after all sockets.
enum ArbiterKind : std::uint16_t {
    kRankSm = 1,
    kRankSmRouterRequest,
    kRankSmRouterResponse,
    kRankNocRequest,
    kRankNocResponse,
    kRankSlice,
    kRankSideCache,
    kRankChannel,
    kRankLink,
    kRankSwitch,
    kRankControl,
    kRankEdge,
    kRankMmu,
    kRankCrossing
};
inline constexpr std::uint16_t kSystemRank = 0xffff;

} // namespace numavp
