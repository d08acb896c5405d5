#include "models/dispatch/block_dispatch.h"

#include "models/base/error.h"

namespace numavp {

bool BlockQueue::steal(SocketId, std::uint64_t&) { return false; }

bool FineGrainedQueue::next(SocketId, std::uint64_t& block) {
    if (next_ == blocks_) return false;
    block = next_++;
    return true;
}

SplitQueue SplitQueue::modulo(std::uint64_t blocks, unsigned sockets) {
    SplitQueue queue(sockets, sockets);
    for (unsigned s = 0; s < sockets; ++s) queue.ranges_[s] = {s, blocks};
    return queue;
}

SplitQueue SplitQueue::contiguous(std::uint64_t blocks, unsigned sockets) {
    SplitQueue queue(1, sockets);
    for (unsigned s = 0; s < sockets; ++s) queue.ranges_[s] = {s * blocks / sockets, (s + 1) * blocks / sockets};
    return queue;
}

SplitQueue SplitQueue::stealing(std::uint64_t blocks, unsigned sockets) {
    SplitQueue queue = contiguous(blocks, sockets);
    queue.steals_ = true;
    return queue;
}

bool SplitQueue::next(SocketId socket, std::uint64_t& block) {
    Range& range = ranges_[socket.value];
    if (range.next >= range.end) return false;
    block = range.next;
    range.next += stride_;
    return true;
}

std::uint64_t SplitQueue::left(SocketId socket) const {
    const Range& range = ranges_[socket.value];
    return range.next >= range.end ? 0 : (range.end - range.next + stride_ - 1) / stride_;
}

bool SplitQueue::steal(SocketId socket, std::uint64_t& block) {
    if (!steals_ || left(socket) != 0) return false;
    unsigned richest = 0;
    for (unsigned s = 1; s < ranges_.size(); ++s)
        if (left(SocketId(s)) > left(SocketId(richest))) richest = s;
    if (left(SocketId(richest)) == 0) return false;
    block = --ranges_[richest].end;
    return true;
}

std::unique_ptr<BlockQueue> make_block_queue(BlockSplit split, std::uint64_t blocks, unsigned sockets) {
    if (sockets < 1 || sockets > kMaxSockets) throw ModelError("thread blocks for a number of sockets out of range");
    switch (split) {
    case BlockSplit::fine_grained: return std::make_unique<FineGrainedQueue>(blocks);
    case BlockSplit::modulo: return std::make_unique<SplitQueue>(SplitQueue::modulo(blocks, sockets));
    case BlockSplit::contiguous: return std::make_unique<SplitQueue>(SplitQueue::contiguous(blocks, sockets));
    case BlockSplit::stealing: return std::make_unique<SplitQueue>(SplitQueue::stealing(blocks, sockets));
    }
    throw ModelError("a block split outside its table of names");
}

} // namespace numavp
