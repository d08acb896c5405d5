/// Arithmetic between one load and one store: hashing, Monte Carlo with all in registers, dense inner loops.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct ComputeParameters : BlockParameters {
    std::uint64_t blocks = 512;
    std::uint32_t rounds = 64;
    std::uint32_t independent = 8;
    std::uint32_t iterations = 1;
};
template <class V> void describe(V& v, ComputeParameters& c) {
    v.integer("blocks", c.blocks, 1, 1ULL << 24, "blocks", "thread blocks (scaled)");
    v.integer("rounds", c.rounds, 1, 1U << 24, "rounds", "rounds of which each needs the one before");
    v.integer("independent", c.independent, 1, 64, "instructions",
              "instructions of a round that don't need each other");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of launches of the kernel");
    describe_block(v, c);
}

class Compute final : public Pattern {
  public:
    using Parameters = ComputeParameters;
    Compute(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
};

} // namespace numavp
