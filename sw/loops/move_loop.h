/// Blocks of several ranks that move memory: each rank adds up elements of some places and stores the sum at others.
///
/// The engine under collectives. A rank has a list of moves, which its blocks do one after the other; of a move a block
/// has a contiguous part, which its warps take in turn, 16 bytes a lane. A warp loads all places of as many pieces as
/// `in_flight` allows before it uses the first. Ranks do not wait for each other within a kernel, unless they meet:
/// then the blocks of one number, one of each rank, wait for each other before their first access and after their last.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sw/loops/tile.h"

namespace numavp {

/// Reads `bytes` (a multiple of 16) at each source, adds them up by element, and stores the sum at each target.
struct Move {
    std::vector<std::uint64_t> sources; ///< addresses, at least one
    std::vector<std::uint64_t> targets; ///< addresses, at least one
    std::uint64_t bytes = 0;

    /// Pieces of a warp's load of 16 bytes a lane; the last may have fewer lanes.
    std::uint64_t pieces() const { return Tile::moves_of(bytes); }
};

/// Flags by which ranks wait for each other. Block b of each rank has two flags, lines 2 b and 2 b + 1 of the rank's
/// array: for its first meeting and its second. Warp 0 signals the flag of that number of all ranks by one reduction
/// on a multicast array, and then reads its own rank's until all have signalled.
struct MeetingFlags {
    std::uint64_t all = 0;          ///< address of the multicast array
    std::vector<std::uint64_t> own; ///< of each rank's array; empty: ranks do not meet

    static constexpr std::uint64_t bytes_of(unsigned blocks) { return 2 * kLineBytes * blocks; }
};

struct MoveLoop {
    static constexpr unsigned kMostSources = 72; ///< of a move
    static constexpr unsigned kMostInFlight = 96;

    std::vector<std::vector<Move>> ranks; ///< moves of each rank; a rank may have none
    unsigned blocks_each = 32;            ///< blocks of a rank; rank r has blocks r * blocks_each and following ones
    unsigned warps = 16;                  ///< of a block
    unsigned in_flight = 8;               ///< loads of a warp; at least one piece of all sources is loaded
    bool past_l1 = false;                 ///< loads pass the L1, as those that a switch adds up do
    MeetingFlags meeting{};
    unsigned adds = 4; ///< arithmetic instructions that add two pieces (FP16: 2 elements each)

    std::uint64_t blocks() const { return ranks.size() * blocks_each; }
    /// Global memory instructions of all blocks.
    std::uint64_t accesses() const;
};

/// Sets blocks, digits (`c` blocks of a rank, `r` ranks), threads and accesses of `shape`.
std::shared_ptr<Kernel> make_move_loop(KernelShape shape, MoveLoop loop);

} // namespace numavp
