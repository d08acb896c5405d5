/// The organisations of an L2 as rows of data: which lines it may hold, how its ways are shared, what a boundary drops.
/// Its modules ask for these and never for an organisation by name.
#pragma once

#include <array>
#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class L2Organisation : std::uint8_t { memory_side, static_split, coherent, numa_aware, replicating };

inline constexpr NameTable<L2Organisation> kL2Organisations{
    "L2 organisation",
    {
        {L2Organisation::memory_side, "memory_side", "lines of the own memory alone are cached (Figure 7a)"},
        {L2Organisation::static_split, "static", "fixed ways for local lines, the others a remote cache (Figure 7b)"},
        {L2Organisation::coherent, "coherent", "local and remote lines contend, flushed like an L1 (Figure 7c)"},
        {L2Organisation::numa_aware, "numa_aware", "local and remote lines share ways by saturation (Figure 7d)"},
        {L2Organisation::replicating, "replicating",
         "lines of the own memory, and replicas as replication.policy says (NUBA)"},
    }};

/// Lines of other sockets' memories that it may hold. Requests for others go to the link at once.
enum class RemoteLines : std::uint8_t {
    none,
    all,
    replicas, ///< lines that the kernel only reads, while ReplicationControl says so
};
enum class WayRule : std::uint8_t {
    contended,
    split, ///< `static_remote_ways` for remote lines, and no other way for them
    quotas ///< as WayPartition moves them, in L1 too
};
/// What the end of a kernel and a fence drop of it.
enum class DroppedLines : std::uint8_t {
    none,
    remote,
    all,     ///< or remote ones alone, without `flush_local`
    replicas ///< none where slices keep none; else all or these alone, as `replication.flush` says
};

struct CacheRole {
    L2Organisation organisation;
    RemoteLines remote;
    WayRule ways;
    DroppedLines dropped;
};

inline constexpr std::array<CacheRole, 5> kCacheRoles{{
    {L2Organisation::memory_side, RemoteLines::none, WayRule::contended, DroppedLines::none},
    {L2Organisation::static_split, RemoteLines::all, WayRule::split, DroppedLines::remote},
    {L2Organisation::coherent, RemoteLines::all, WayRule::contended, DroppedLines::all},
    {L2Organisation::numa_aware, RemoteLines::all, WayRule::quotas, DroppedLines::all},
    {L2Organisation::replicating, RemoteLines::replicas, WayRule::contended, DroppedLines::replicas},
}};

constexpr bool roles_are_complete() {
    if (kCacheRoles.size() != kL2Organisations.size()) return false;
    for (std::size_t i = 0; i < kCacheRoles.size(); ++i)
        if (static_cast<std::size_t>(kCacheRoles[i].organisation) != i) return false;
    return true;
}
static_assert(roles_are_complete(), "a row for each organisation, in their order");

constexpr const CacheRole& role_of(L2Organisation organisation) {
    return kCacheRoles[static_cast<std::size_t>(organisation)];
}

} // namespace numavp
