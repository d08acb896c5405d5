/// Gaussian elimination without pivoting: for each column a kernel of multipliers and one for the remaining matrix.
///
/// Both kernels of a step work on ever fewer rows and columns (Rodinia gaussian, Fan1 and Fan2). One of `sample` steps
/// is executed, at equal distances from a first one drawn at random. Each step reads and writes the matrix, so it is
/// reused from step to step.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct EliminationParameters : BlockParameters {
    std::uint64_t n = 512;
    std::uint64_t per_block = 2304;
    std::uint32_t sample = 64;
    std::uint32_t part = 1;
    std::uint32_t work = 4;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, EliminationParameters& c) {
    v.integer("n", c.n, 64, 1U << 20, "rows", "rows and columns of the matrix (scaled by the root of the scale)");
    v.integer("per_block", c.per_block, 32, 1U << 20, "elements", "elements of a block, a multiple of 32");
    v.integer("sample", c.sample, 1, 1U << 20, "", "divisor of the number of steps that are done, three at least");
    v.integer("part", c.part, 1, 1U << 20, "", "a block does one of so many parts of its elements");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of an element");
    describe_block(v, c);
}

class Elimination final : public Pattern {
  public:
    using Parameters = EliminationParameters;
    Elimination(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
};

} // namespace numavp
