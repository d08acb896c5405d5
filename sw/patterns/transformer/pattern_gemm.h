/// C = A * B on tensor cores: the tiled product of cuBLAS and CUTLASS 2.x, with splits along k.
///
/// Sizes, tiles and stages as in the names of cuBLAS' kernels (`128x128_32x4` is a tile of 128 x 128, steps of 32 along
/// k, 4 stages). Blocks of a row of tiles share a panel of A, those of a column one of B; C is written once, or with
/// splits as a plane of FP32 for each, which a second kernel adds up. Block numbers have the digits `n` and `m`, tiles
/// of columns and rows, and `k`, splits, for `dispatch.order`.
#pragma once

#include "sw/loops/gemm_loop.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class Raster : std::uint8_t { along_n, along_m };
inline constexpr NameTable<Raster> kRasters{"raster",
                                            {{Raster::along_n, "along_n", "block numbers run along a row of tiles"},
                                             {Raster::along_m, "along_m", "block numbers run down a column of tiles"}}};

struct GemmParameters {
    std::uint64_t m = 4096, n = 4096, k = 4096, a_pitch = 0;
    std::uint32_t tile_m = 128, tile_n = 128, tile_k = 32, stages = 3, split_k = 1, warps_m = 2, warps_n = 2;
    Element element = Element::fp16;
    MatrixOp matrix = MatrixOp::hmma_16816;
    Raster raster = Raster::along_n;
    bool bypass_l1 = true;
    std::uint32_t registers = 128, iterations = 1;
    void validate(const Place& place) const;
};
/// Elements of a piece of 16 bytes; a row of A begins with a whole one.
constexpr std::uint64_t elements_of_piece(Element element) { return Tile::kPiece / bytes_of(element); }
/// The loop of a product, without addresses.
GemmLoop gemm_loop_of(const GemmParameters& p);

template <class V> void describe(V& v, GemmParameters& c) {
    v.integer("m", c.m, 1, 1ULL << 24, "rows", "rows of A and C (scaled); the last tile may have fewer");
    v.integer("n", c.n, 8, 1ULL << 24, "columns", "columns of B and C, a multiple of tile_n");
    v.integer("k", c.k, 8, 1ULL << 24, "elements", "columns of A and rows of B, a multiple of tile_k times split_k");
    v.integer("a_pitch", c.a_pitch, 0, 1ULL << 24, "elements",
              "distance of the rows of A, where they are parts of longer ones; 0: k");
    v.integer("tile_m", c.tile_m, 16, 512, "rows", "rows of a block's tile");
    v.integer("tile_n", c.tile_n, 8, 512, "columns", "columns of a block's tile");
    v.integer("tile_k", c.tile_k, 8, 512, "elements", "length along k of a step");
    v.integer("stages", c.stages, 2, 16, "stages", "tiles of A and B in shared memory; one less is loaded ahead");
    v.integer("split_k", c.split_k, 1, 1024, "parts", "parts of k, each with blocks of its own");
    v.integer("warps_m", c.warps_m, 1, 16, "warps", "warps of a block along m");
    v.integer("warps_n", c.warps_n, 1, 16, "warps", "warps of a block along n");
    v.choice("element", c.element, kElements, "elements of A and B");
    v.choice("matrix", c.matrix, kMatrixOps, "matrix instruction of a warp");
    v.choice("raster", c.raster, kRasters, "direction in which block numbers run first");
    v.boolean("bypass_l1", c.bypass_l1, "whether loads go past the L1 (LDGSTS.BYPASS; the default of 16 bytes)");
    v.integer("registers", c.registers, 1, 255, "registers", "registers of a thread");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of products");
}

class Gemm final : public Pattern {
  public:
    using Parameters = GemmParameters;
    Gemm(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
};

} // namespace numavp
