/// Split of a kernel's thread blocks among sockets or SMs.
///
/// Section 3 of the NUMA-aware paper, section III.B of the memory-network paper, section 6 of the NUBA paper. A taker
/// of blocks is a socket, in which the dispatcher offers the block to the SMs in turn until one has room, or (splits
/// `contiguous_sms` and `persistent`) an SM. What the numbers given out mean is the order's (block_order.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/values/types.h"
#include "models/dispatch/block_split.h"

namespace numavp {

/// Contract: each block of the kernel is given out exactly once over all takers. The order depends only on the calls of
/// next() and steal() that succeeded. The blocks that a taker gets from next() ascend.
class BlockQueue {
  public:
    virtual ~BlockQueue() = default;
    /// The next block for `taker`; false if there is none left for it.
    virtual bool next(unsigned taker, std::uint64_t& block) = 0;
    /// Number of blocks that `taker` could still get from next() if no other taker asked.
    virtual std::uint64_t left(unsigned taker) const = 0;
    /// Takes a block of another taker for `taker`, which must have none left; false if no block can be stolen.
    virtual bool steal(unsigned taker, std::uint64_t& block);
};

/// One queue for all SMs of all sockets, as if they were one GPU: a taker that asks gets the next block.
class FineGrainedQueue final : public BlockQueue {
  public:
    explicit FineGrainedQueue(std::uint64_t blocks) : blocks_(blocks) {}
    bool next(unsigned taker, std::uint64_t& block) override;
    std::uint64_t left(unsigned) const override { return blocks_ - next_; }

  private:
    std::uint64_t blocks_;
    std::uint64_t next_ = 0;
};

/// Every taker has its own ascending range of blocks: first, first + stride, ... below an end.
class SplitQueue final : public BlockQueue {
  public:
    /// Block b goes to taker b modulo takers.
    static SplitQueue modulo(std::uint64_t blocks, unsigned takers);
    /// Taker t gets the blocks [t * blocks / takers, (t + 1) * blocks / takers), both rounded down: sizes differ by at
    /// most one.
    static SplitQueue contiguous(std::uint64_t blocks, unsigned takers);
    /// The ranges of contiguous(); steal() takes the last block of the taker with most blocks left (the first of
    /// equals). That block is the one that its taker would begin latest, and so would the blocks beside it.
    static SplitQueue stealing(std::uint64_t blocks, unsigned takers);
    bool next(unsigned taker, std::uint64_t& block) override;
    std::uint64_t left(unsigned taker) const override;
    bool steal(unsigned taker, std::uint64_t& block) override;

  private:
    struct Range {
        std::uint64_t next = 0;
        std::uint64_t end = 0;
    };
    SplitQueue(unsigned stride, unsigned takers) : stride_(stride), ranges_(takers) {}

    unsigned stride_;
    bool steals_ = false;       ///< the stride is 1
    std::vector<Range> ranges_; ///< of each taker
};

/// Receivers of the blocks of a split: sockets, within which any SM takes the next block, or single SMs.
enum class BlockTakers : std::uint8_t { sockets, sms };
BlockTakers block_takers(BlockSplit split);

/// A queue for one launch of `blocks` thread blocks on 1 to kMostTakers takers.
std::unique_ptr<BlockQueue> make_block_queue(BlockSplit split, std::uint64_t blocks, unsigned takers);
inline constexpr unsigned kMostTakers = 1U << 20; ///< more than SMs that a machine can have in memory

} // namespace numavp
