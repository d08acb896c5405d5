/// Order in which the blocks of a kernel are given out: which block is at a place of the dispatch.
///
/// A split (block_dispatch.h) deals places 0, 1, 2, ... to sockets; the order says which block of the grid each place
/// is. With the split `modulo`, place p runs on socket p modulo sockets, as work-groups of an MI300X on its XCDs.
#pragma once

#include <cstdint>
#include <memory>

#include "models/dispatch/block_order_config.h"
#include "sw/work/workload.h"

namespace numavp {

/// Contract: block() is a permutation of the kernel's blocks, and has no state.
class BlockOrder {
  public:
    virtual ~BlockOrder() = default;
    /// Number in the kernel's grid of the block at `place`, which is below the number of blocks.
    virtual std::uint64_t block(std::uint64_t place) const = 0;
};

/// The order of a kernel of `shape` on so many sockets with SMs; null: the blocks' numbers. A policy for tiles of a
/// matrix needs `n` and `m` (columns and rows) as the fastest digits, one for attention `q`, `g`, `v` and `b` (query
/// blocks, query heads of a group, KV heads, batch); other digits stay slowest, in their order.
std::unique_ptr<BlockOrder> make_block_order(const BlockOrderConfig& config, const KernelShape& shape,
                                             unsigned sockets);

} // namespace numavp
