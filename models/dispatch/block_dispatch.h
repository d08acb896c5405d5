/// Which socket runs which thread block of a kernel.
///
/// Section 3 of the NUMA-aware paper, and section III.B of the memory-network paper. This is the split between sockets;
/// within a socket the dispatcher offers blocks to SMs in turn, and a block goes to the first that has room.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/base/types.h"
#include "models/dispatch/block_split.h"

namespace numavp {

/// Contract: over all sockets each block of the kernel is given out exactly once, in an order that depends on
/// nothing but the calls of next() and steal() that succeeded; blocks that a socket gets from next() ascend.
class BlockQueue {
  public:
    virtual ~BlockQueue() = default;
    /// The next block for `socket`; false if it gets no more.
    virtual bool next(SocketId socket, std::uint64_t& block) = 0;
    /// Blocks that `socket` could still get from next() if no other asked.
    virtual std::uint64_t left(SocketId socket) const = 0;
    /// A block of another socket for `socket`, which must have none left; false if there is none to be had.
    virtual bool steal(SocketId socket, std::uint64_t& block);
};

/// One queue for all SMs of all sockets, as if they were one GPU: whoever asks gets the next block.
class FineGrainedQueue final : public BlockQueue {
  public:
    explicit FineGrainedQueue(std::uint64_t blocks) : blocks_(blocks) {}
    bool next(SocketId socket, std::uint64_t& block) override;
    std::uint64_t left(SocketId) const override { return blocks_ - next_; }

  private:
    std::uint64_t blocks_;
    std::uint64_t next_ = 0;
};

/// Every socket has its own ascending range of blocks: first, first + stride, ... below an end.
class SplitQueue final : public BlockQueue {
  public:
    /// Block b goes to socket b modulo sockets.
    static SplitQueue modulo(std::uint64_t blocks, unsigned sockets);
    /// Socket s gets the blocks [s * blocks / sockets, (s + 1) * blocks / sockets), both rounded down: sizes
    /// differ by at most one. Blocks are below 2^55.
    static SplitQueue contiguous(std::uint64_t blocks, unsigned sockets);
    /// The same ranges; steal() takes the last block of the socket that has most left, of several the first. The last
    /// is the one that its own socket would begin latest, and whose neighbours begin latest.
    static SplitQueue stealing(std::uint64_t blocks, unsigned sockets);
    bool next(SocketId socket, std::uint64_t& block) override;
    std::uint64_t left(SocketId socket) const override;
    bool steal(SocketId socket, std::uint64_t& block) override;

  private:
    struct Range {
        std::uint64_t next = 0;
        std::uint64_t end = 0;
    };
    SplitQueue(unsigned stride, unsigned sockets) : stride_(stride), ranges_(sockets) {}

    unsigned stride_;
    bool steals_ = false;       ///< the stride is 1
    std::vector<Range> ranges_; ///< of each socket
};

/// A queue for one launch of `blocks` thread blocks on 1 to kMaxSockets sockets.
std::unique_ptr<BlockQueue> make_block_queue(BlockSplit split, std::uint64_t blocks, unsigned sockets);

} // namespace numavp
