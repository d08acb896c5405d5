/// Products of the experts of a mixture: C_e = A_e * B_e for each expert e with its tokens, in one launch.
///
/// Tokens are drawn to experts by `gini_percent` and the seed (sw/loops/routing.h), and lie behind each other by
/// expert, as a permutation in front of the product leaves them. An expert without tokens has no blocks, and its
/// weights are not read; a tile of rows is filled up with idle ones. Blocks are numbered by expert, tiles of rows,
/// tiles of columns.
#pragma once

#include "sw/loops/routing.h"
#include "sw/patterns/transformer/pattern_gemm.h"

namespace numavp {

struct GroupedGemmParameters : GemmParameters {
    std::uint64_t tokens = 512;
    std::uint32_t experts = 8, top = 2, gini_percent = 0;
    GroupedGemmParameters() {
        n = 28672;
        tile_m = 64;
        tile_n = 128;
        element = Element::bf16;
    }
    void validate(const Place& place) const;
    ExpertRouting routing(std::uint64_t seed) const { return {tokens, experts, top, gini_percent, seed}; }
};
template <class V> void describe(V& v, GroupedGemmParameters& c) {
    v.integer("tokens", c.tokens, 1, 1ULL << 24, "tokens",
              "tokens, each with a row of A for each of its experts (scaled)");
    v.integer("experts", c.experts, 1, 4096, "experts", "experts, each with a B");
    v.integer("top", c.top, 1, 64, "experts", "experts of a token");
    v.integer("gini_percent", c.gini_percent, 0, kMostGiniPercent, "%",
              "Gini coefficient of the experts' probabilities; 0: all alike");
    v.integer("n", c.n, 8, 1ULL << 24, "columns", "columns of B and C, a multiple of tile_n");
    v.integer("k", c.k, 8, 1ULL << 24, "elements", "columns of A and rows of B, a multiple of tile_k");
    v.integer("tile_m", c.tile_m, 16, 512, "rows", "rows of a block's tile");
    v.integer("tile_n", c.tile_n, 8, 512, "columns", "columns of a block's tile");
    v.integer("tile_k", c.tile_k, 8, 512, "elements", "length along k of a step");
    v.integer("stages", c.stages, 2, 16, "stages", "tiles of A and B in shared memory; one less is loaded ahead");
    v.integer("warps_m", c.warps_m, 1, 16, "warps", "warps of a block along m");
    v.integer("warps_n", c.warps_n, 1, 16, "warps", "warps of a block along n");
    v.choice("element", c.element, kElements, "elements of A and B");
    v.choice("matrix", c.matrix, kMatrixOps, "matrix instruction of a warp");
    v.choice("raster", c.raster, kRasters, "direction in which block numbers of an expert run first");
    v.boolean("bypass_l1", c.bypass_l1, "whether loads go past the L1 (LDGSTS.BYPASS; the default of 16 bytes)");
    v.integer("registers", c.registers, 1, 255, "registers", "registers of a thread");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of launches");
}

class GroupedGemm final : public Pattern {
  public:
    using Parameters = GroupedGemmParameters;
    GroupedGemm(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    std::vector<std::uint64_t> tokens_; ///< of each expert
};

} // namespace numavp
