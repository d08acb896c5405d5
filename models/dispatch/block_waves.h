/// Waves of one kernel's thread blocks on one socket, for the timeline.
///
/// The first wave has the blocks that start until the socket is full; each further wave has as many blocks as ran at
/// that moment. A wave lasts until the next one begins, the last one until its last block has ended.
#pragma once

#include <cstdint>

#include "base/values/types.h"

namespace numavp {

struct BlockWave {
    std::uint64_t number = 0; ///< of the kernel on this socket, from 0
    std::uint64_t blocks = 0; ///< started in it
    Cycle begin = 0;
    Cycle end = 0;
};

class BlockWaves {
  public:
    /// Counts a block that starts. True if it is the first of a new wave: `ended` is then the wave before.
    bool started(Cycle now, BlockWave& ended) {
        const bool next = size_ != 0 && wave_.blocks >= limit_;
        if (next) {
            ended = wave_;
            ended.end = now;
            wave_ = {ended.number + 1, 0, now, now};
            limit_ = size_;
        } else if (wave_.blocks == 0) {
            wave_.begin = now;
        }
        ++wave_.blocks;
        ++running_;
        return next;
    }
    /// A block found no room: the socket is full.
    void full() {
        if (size_ != 0 || running_ == 0) return;
        size_ = running_;
        limit_ = wave_.blocks;
    }
    void block_ended() { --running_; }
    /// The wave that is running at the kernel's end; false if there was none.
    bool last(Cycle now, BlockWave& ended) const {
        ended = wave_;
        ended.end = now;
        return wave_.blocks != 0;
    }

  private:
    BlockWave wave_;
    std::uint64_t running_ = 0;
    std::uint64_t size_ = 0;  ///< blocks of a wave after the first; 0 until the socket was full
    std::uint64_t limit_ = 0; ///< blocks of this wave
};

} // namespace numavp
