/// Kernels that only the bench needs: a fixed remote share, and a footprint that is touched thinly.
#pragma once

#include <cstdint>

#include "sw/work/workload.h"

namespace numavp {

struct RemoteShareParameters {
    unsigned sockets = 2;
    std::uint64_t page_bytes = 65536;
    std::uint64_t pages = 16384; ///< in all, a multiple of the sockets
    std::uint64_t blocks = 1024; ///< of 8 warps, all resident at once; a multiple of the sockets
    unsigned loads = 64;         ///< of each warp, two in flight
    unsigned remote_percent = 25;
    std::uint64_t seed = 1;
};

/// Random lines, `remote_percent` of them in other sockets, all equally likely. It presumes contiguous blocks
/// and page_interleave placement: block b runs on socket b * sockets / blocks, page p lies in socket p % sockets.
Workload remote_share_workload(const RemoteShareParameters& parameters);

/// c = a + b over `bytes` of memory in all, one line of each `stride` bytes: all pages are touched in seconds.
Workload sparse_triad_workload(std::uint64_t bytes, std::uint64_t stride);

} // namespace numavp
