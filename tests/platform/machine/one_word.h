/// Kernels by hand in which one word of a line is written and read behind another's back.
#pragma once

#include <cstring>

#include "models/sm/load_store.h"
#include "tests/support/hand_kernel.h"

namespace numavp::test {

inline constexpr std::uint64_t kOldWord = kHandBase;             // keeps the line somewhere
inline constexpr std::uint64_t kNewWord = kHandBase + 64;        // written
inline constexpr std::uint64_t kRead = 1, kWrite = 2, kZero = 3; // cookies

inline Inst one_lane(Inst inst, std::uint64_t cookie) {
    inst.mask = 1;
    inst.cookie = cookie;
    return inst;
}

/// Remembers what was read of the new word: 0xab if it was right.
class Words final : public DataHooks {
  public:
    void produce(std::uint64_t cookie, std::uint64_t, ByteMask, unsigned char* line) override {
        std::memset(line, cookie == kWrite ? 0xab : 0x11, kLineBytes);
    }
    void consume(std::uint64_t cookie, std::uint64_t, ByteMask, const unsigned char* line) override {
        if (cookie == kRead) seen = line[64];
    }
    int seen = -1;
};

/// Code for one block of two, so that it runs on that socket.
inline CodeOf on(std::uint64_t socket, const WarpCode& code) {
    return [socket, code](std::uint64_t block, unsigned) { return block == socket ? code : WarpCode{}; };
}

/// Steps of 100 cycles, each after the one before.
inline WarpCode idle(unsigned cycles) {
    WarpCode code;
    for (unsigned i = 0; i < cycles / 100; ++i) {
        Inst step;
        step.dst = step.src[0] = 1;
        step.latency = 100;
        code.push_back(step);
    }
    return code;
}

inline WarpCode after(unsigned cycles, Inst last) {
    WarpCode code = idle(cycles);
    last.src[0] = 1;
    code.push_back(last);
    return code;
}

} // namespace numavp::test
