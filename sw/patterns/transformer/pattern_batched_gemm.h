/// Products side by side with equal sizes: C_i = A_i * B_i for each head i, as in latent attention.
///
/// A row of A has the parts of all products behind each other, and so has a row of C, as the heads of a token lie: part
/// i begins at i times `a_part` or `c_part`. Each B is read by the blocks of its product alone. Blocks are numbered by
/// product, then as those of gemm.
#pragma once

#include "sw/patterns/transformer/pattern_gemm.h"

namespace numavp {

struct BatchedGemmParameters : GemmParameters {
    std::uint32_t count = 32;
    std::uint64_t a_part = 0, c_part = 0;
    BatchedGemmParameters() {
        m = 64;
        n = 512;
        k = 128;
        tile_m = 64;
        element = Element::bf16;
    }
    void validate(const Place& place) const;
    std::uint64_t part_of_a() const { return a_part != 0 ? a_part : k; }
    std::uint64_t part_of_c() const { return c_part != 0 ? c_part : n; }
};
template <class V> void describe(V& v, BatchedGemmParameters& c) {
    v.integer("count", c.count, 1, 4096, "products", "number of products");
    v.integer("m", c.m, 1, 1ULL << 24, "rows", "rows of A and C (scaled); the last tile may have fewer");
    v.integer("n", c.n, 8, 1ULL << 24, "columns", "columns of each B, a multiple of tile_n");
    v.integer("k", c.k, 8, 1ULL << 24, "elements", "rows of each B, a multiple of tile_k");
    v.integer("a_part", c.a_part, 0, 1ULL << 24, "elements",
              "elements of a row of A for each product, of which the first k are used; 0: k");
    v.integer("c_part", c.c_part, 0, 1ULL << 24, "elements",
              "elements of a row of C for each product, of which the first n are written; 0: n");
    v.integer("tile_m", c.tile_m, 16, 512, "rows", "rows of a block's tile");
    v.integer("tile_n", c.tile_n, 8, 512, "columns", "columns of a block's tile");
    v.integer("tile_k", c.tile_k, 8, 512, "elements", "length along k of a step");
    v.integer("stages", c.stages, 2, 16, "stages", "tiles of A and B in shared memory; one less is loaded ahead");
    v.integer("warps_m", c.warps_m, 1, 16, "warps", "warps of a block along m");
    v.integer("warps_n", c.warps_n, 1, 16, "warps", "warps of a block along n");
    v.choice("element", c.element, kElements, "elements of A and B");
    v.choice("matrix", c.matrix, kMatrixOps, "matrix instruction of a warp");
    v.choice("raster", c.raster, kRasters, "direction in which block numbers of a product run first");
    v.boolean("bypass_l1", c.bypass_l1, "whether loads go past the L1 (LDGSTS.BYPASS; the default of 16 bytes)");
    v.integer("registers", c.registers, 1, 255, "registers", "registers of a thread");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of launches");
}

class BatchedGemm final : public Pattern {
  public:
    using Parameters = BatchedGemmParameters;
    BatchedGemm(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
};

} // namespace numavp
