/// Hashing with a scratchpad for each thread, as scrypt does it (Percival 2009): fill it, then read it at random.
///
/// Each chunk of a thread's pad is computed from the one before by rounds of arithmetic; then chunks are read in an
/// order that depends on the hash. Nearly all time goes into arithmetic. A thread's pad is private; shared are only the
/// header that is read at the start and the word that is written when a hash is good.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct ScratchpadHashParameters : BlockParameters {
    std::uint64_t blocks = 60;
    std::uint64_t chunks = 1024;
    std::uint32_t hashes = 3;
    std::uint32_t sample = 1;
    std::uint32_t work = 2000;
};
template <class V> void describe(V& v, ScratchpadHashParameters& c) {
    v.integer("blocks", c.blocks, 1, 1U << 24, "blocks", "thread blocks (scaled)");
    v.integer("chunks", c.chunks, 1, 1U << 24, "chunks", "chunks of a pad, 128 bytes each");
    v.integer("hashes", c.hashes, 1, 1U << 20, "launches", "hashes of a thread, one a launch");
    v.integer("sample", c.sample, 1, 1U << 20, "", "a block does one of so many parts of its work");
    v.integer("work", c.work, 0, 65535, "instructions",
              "arithmetic of a thread for each group of accesses that it makes");
    describe_block(v, c);
}

class ScratchpadHash final : public Pattern {
  public:
    using Parameters = ScratchpadHashParameters;
    ScratchpadHash(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    double share_;
    std::uint64_t seed_, data_seed_;
};

} // namespace numavp
