#include "models/dispatch/block_dispatch.h"

#include "base/values/error.h"

namespace numavp {

bool BlockQueue::steal(unsigned, std::uint64_t&) { return false; }

bool FineGrainedQueue::next(unsigned, std::uint64_t& block) {
    if (next_ == blocks_) return false;
    block = next_++;
    return true;
}

SplitQueue SplitQueue::modulo(std::uint64_t blocks, unsigned takers) {
    SplitQueue queue(takers, takers);
    for (unsigned t = 0; t < takers; ++t) queue.ranges_[t] = {t, blocks};
    return queue;
}

SplitQueue SplitQueue::contiguous(std::uint64_t blocks, unsigned takers) {
    SplitQueue queue(1, takers);
    // t * blocks / takers, whatever fits: of the whole part and of the rest, which is below takers
    const auto first = [blocks, takers](std::uint64_t t) {
        return t * (blocks / takers) + t * (blocks % takers) / takers;
    };
    for (unsigned t = 0; t < takers; ++t) queue.ranges_[t] = {first(t), first(t + std::uint64_t{1})};
    return queue;
}

SplitQueue SplitQueue::stealing(std::uint64_t blocks, unsigned takers) {
    SplitQueue queue = contiguous(blocks, takers);
    queue.steals_ = true;
    return queue;
}

bool SplitQueue::next(unsigned taker, std::uint64_t& block) {
    Range& range = ranges_[taker];
    if (range.next >= range.end) return false;
    block = range.next;
    range.next += stride_;
    return true;
}

std::uint64_t SplitQueue::left(unsigned taker) const {
    const Range& range = ranges_[taker];
    return range.next >= range.end ? 0 : (range.end - range.next + stride_ - 1) / stride_;
}

bool SplitQueue::steal(unsigned taker, std::uint64_t& block) {
    if (!steals_ || left(taker) != 0) return false;
    unsigned richest = 0;
    for (unsigned t = 1; t < ranges_.size(); ++t)
        if (left(t) > left(richest)) richest = t;
    if (left(richest) == 0) return false;
    block = --ranges_[richest].end;
    return true;
}

BlockTakers block_takers(BlockSplit split) {
    switch (split) {
    case BlockSplit::contiguous_sms:
    case BlockSplit::persistent: return BlockTakers::sms;
    case BlockSplit::fine_grained:
    case BlockSplit::modulo:
    case BlockSplit::contiguous:
    case BlockSplit::stealing: return BlockTakers::sockets;
    }
    throw ModelError("a block split outside its table of names");
}

std::unique_ptr<BlockQueue> make_block_queue(BlockSplit split, std::uint64_t blocks, unsigned takers) {
    if (takers < 1 || takers > kMostTakers) throw ModelError("thread blocks for a number of takers out of range");
    switch (split) {
    case BlockSplit::fine_grained: return std::make_unique<FineGrainedQueue>(blocks);
    case BlockSplit::modulo:
    case BlockSplit::persistent: return std::make_unique<SplitQueue>(SplitQueue::modulo(blocks, takers));
    case BlockSplit::contiguous:
    case BlockSplit::contiguous_sms: return std::make_unique<SplitQueue>(SplitQueue::contiguous(blocks, takers));
    case BlockSplit::stealing: return std::make_unique<SplitQueue>(SplitQueue::stealing(blocks, takers));
    }
    throw ModelError("a block split outside its table of names");
}

} // namespace numavp
