/// Which socket runs which thread block of a kernel.
///
/// Section 3 of the NUMA-aware paper, section III.B of the memory-network paper, section 6 of the NUBA paper. Takers
/// are sockets, within which the dispatcher offers blocks to SMs in turn, and a block goes to the first that has room;
/// or they are the SMs of all sockets.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/base/types.h"
#include "models/dispatch/block_split.h"

namespace numavp {

/// Contract: over all takers each block of the kernel is given out exactly once, in an order that depends on
/// nothing but the calls of next() and steal() that succeeded; blocks that a taker gets from next() ascend.
class BlockQueue {
  public:
    virtual ~BlockQueue() = default;
    /// The next block for `taker`; false if it gets no more.
    virtual bool next(unsigned taker, std::uint64_t& block) = 0;
    /// Blocks that `taker` could still get from next() if no other asked.
    virtual std::uint64_t left(unsigned taker) const = 0;
    /// A block of another taker for `taker`, which must have none left; false if there is none to be had.
    virtual bool steal(unsigned taker, std::uint64_t& block);
};

/// One queue for all SMs of all sockets, as if they were one GPU: whoever asks gets the next block.
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
    /// The same ranges; steal() takes the last block of the taker that has most left, of several the first. The last
    /// is the one that its own taker would begin latest, and whose neighbours begin latest.
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

/// A queue for one launch of `blocks` thread blocks on 1 to kMostTakers takers.
std::unique_ptr<BlockQueue> make_block_queue(BlockSplit split, std::uint64_t blocks, unsigned takers);
inline constexpr unsigned kMostTakers = 1U << 20; ///< more than SMs that a machine can have in memory

} // namespace numavp
