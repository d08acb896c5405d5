/// A block of C = A * B on tensor cores: the loop of cuBLAS' and CUTLASS 2.x' kernels of Ampere.
///
/// A has rows along k and B columns along k ("TN"). A block loads tiles of both for several steps ahead, waits for the
/// oldest, meets at a barrier, and reads fragments from shared memory for its matrix instructions, a slice of k at a
/// time, the next slice's fragments before. Asynchronous matrix instructions (wgmma of each warp, tcgen05 of the first)
/// read shared memory themselves: a step's are issued at once, and the loads that follow them wait for those of the
/// step before, whose tiles they replace. Loads are LDGSTS: they occupy registers here and none in the machine, and the
/// time to write into shared memory is not modelled.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sw/loops/tile.h"

namespace numavp {

/// One product. With splits the blocks of a tile do a part of k each, and C has a plane of FP32 for each part.
struct GemmLoop {
    std::uint64_t a = 0, b = 0, c = 0; ///< addresses
    std::uint64_t m = 1, n = 1, k = 1; ///< n and k are multiples of their tiles
    /// Elements from a row of A, or of C without splits, to the next; 0: no more than it has.
    std::uint64_t a_pitch = 0, c_pitch = 0;
    unsigned tile_m = 128, tile_n = 128, tile_k = 32, stages = 3, splits = 1;
    unsigned warps_m = 2, warps_n = 2;
    Element element = Element::fp16;
    MatrixOp op = MatrixOp::hmma_16816;
    bool rows_first = false; ///< block numbers go down the rows of tiles, else along the columns
    bool bypass_l1 = true;

    static constexpr unsigned kMostTurns = 32; ///< loads of a warp and step
    static constexpr unsigned kRegisters = 224;

    unsigned warps() const { return warps_m * warps_n; }
    std::uint64_t rows() const { return (m + tile_m - 1) / tile_m; }
    std::uint64_t columns() const { return n / tile_n; }
    std::uint64_t steps() const { return k / tile_k / splits; }
    std::uint64_t blocks() const { return rows() * columns() * splits; }
    unsigned result_bytes() const { return splits > 1 ? 4 : 2; }
    std::uint64_t tile_bytes(unsigned lines) const { return std::uint64_t{lines} * tile_k * bytes_of(element); }
    std::uint64_t shared_bytes() const { return stages * (tile_bytes(tile_m) + tile_bytes(tile_n)); }
    /// Loads of A and B of each warp in a step.
    unsigned turns_a() const { return turns_of(Tile::moves_of(tile_bytes(tile_m)), warps()); }
    unsigned turns() const { return turns_a() + turns_of(Tile::moves_of(tile_bytes(tile_n)), warps()); }
    /// Matrix instructions of a warp for a slice of k; of instructions of an SM those of its first warp.
    unsigned matrix_each() const;
    /// Global memory instructions of all blocks.
    std::uint64_t accesses() const;
    Tile tile_of_a(std::uint64_t row, std::uint64_t k_at) const;
    Tile tile_of_b(std::uint64_t column, std::uint64_t k_at) const;
    Tile tile_of_c(std::uint64_t row, std::uint64_t column, std::uint64_t split) const;
};

/// The kernel of a product whose sizes fit together.
std::shared_ptr<Kernel> make_gemm(KernelShape shape, const GemmLoop& loop);

/// The kernel of several products with equal tiles, whose blocks follow each other by product. Sets blocks, threads,
/// shared memory and accesses of `shape`; at least one product.
std::shared_ptr<Kernel> make_grouped_gemm(KernelShape shape, std::vector<GemmLoop> groups);

/// Adds the planes of FP32 of a product with splits, and stores the sum with 2 bytes an element.
struct SplitSum {
    std::uint64_t planes = 0, c = 0;
    std::uint64_t elements = 0; ///< of a plane, a multiple of 4
    unsigned splits = 1;
    static constexpr unsigned kThreads = 256;
    static constexpr std::uint64_t kEach = 4; ///< elements of a thread
    std::uint64_t blocks() const { return (elements + kThreads * kEach - 1) / (kThreads * kEach); }
    std::uint64_t accesses() const;
};
std::shared_ptr<Kernel> make_split_sum(KernelShape shape, const SplitSum& sum);

} // namespace numavp
