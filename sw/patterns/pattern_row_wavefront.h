/// Dynamic programming over rows: each cell is the least of three cells above it plus its own cost.
///
/// A kernel computes `height` rows: a block reads the costs of its columns, and of a trapezoid beside them that it
/// computes redundantly so as to need no neighbour, and keeps the row in shared memory (Rodinia pathfinder, ghost
/// zones). Costs are read once; the row of results is passed from kernel to kernel.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct RowWavefrontParameters : BlockParameters {
    std::uint64_t columns = 65536;
    std::uint64_t rows = 60;
    std::uint32_t height = 20;
    std::uint64_t per_block = 224;
    std::uint32_t sample = 1;
    std::uint32_t work = 60;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, RowWavefrontParameters& c) {
    v.integer("columns", c.columns, 32, 1ULL << 36, "columns", "columns (scaled)");
    v.integer("rows", c.rows, 1, 1U << 20, "rows", "rows, a multiple of `height`");
    v.integer("height", c.height, 1, 4096, "rows", "rows of a kernel");
    v.integer("per_block", c.per_block, 32, 1U << 20, "columns", "columns of a block, a multiple of 32");
    v.integer("sample", c.sample, 1, 1U << 20, "", "a block does one of so many parts of its work");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of a column in a kernel");
    describe_block(v, c);
}

class RowWavefront final : public Pattern {
  public:
    using Parameters = RowWavefrontParameters;
    RowWavefront(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
};

} // namespace numavp
