/// C = A * B in single precision, row-major, by tiles of 64 x 64 through shared memory.
///
/// The textbook kernel (CUDA C++ Programming Guide, "Shared Memory") with 16-byte loads and 4 x 4 results a
/// thread: a block of 256 threads loads 64 x 32 of A and 32 x 64 of B, then does 32 rank-1 updates from shared
/// memory. Blocks run along rows of C, so that a row of blocks shares a band of A and all share B.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct TiledMatmulParameters {
    std::uint64_t m = 2048;
    std::uint64_t n = 1024;
    std::uint64_t k = 1024;
    std::uint32_t registers = 64;
    std::uint32_t iterations = 1;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, TiledMatmulParameters& c) {
    v.integer("m", c.m, 64, 1ULL << 20, "elements", "rows of A and C, a multiple of 64 (scaled)");
    v.integer("n", c.n, 64, 1ULL << 20, "elements", "columns of B and C, a multiple of 64");
    v.integer("k", c.k, 32, 1ULL << 20, "elements", "columns of A, rows of B, a multiple of 32");
    v.integer("registers", c.registers, 1, 255, "registers",
              "registers of a thread: 16 results, 8 operands, addresses");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of products");
}

class TiledMatmul final : public Pattern {
  public:
    using Parameters = TiledMatmulParameters;
    TiledMatmul(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
};

} // namespace numavp
