/// Matrix instructions of a warp: D = A * B + C with a shape and a kind of element, by their names in SASS and CDNA.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

/// Kind of the elements of A and B. FP16 and BF16 have the same rate on every machine that is modelled.
enum class MatrixData : std::uint8_t { half, fp8, int8, tf32, fp64 };
inline constexpr NameTable<MatrixData> kMatrixData{"kind of matrix elements",
                                                   {{MatrixData::half, "half", "FP16 or BF16"},
                                                    {MatrixData::fp8, "fp8", "FP8"},
                                                    {MatrixData::int8, "int8", "integers of 8 bits"},
                                                    {MatrixData::tf32, "tf32", "TF32"},
                                                    {MatrixData::fp64, "fp64", "double precision"}}};

inline constexpr unsigned kMatrixDataKinds = kMatrixData.size();

/// A matrix instruction, by opcode and shape; `unknown`: the source of the instruction does not say.
enum class MatrixOp : std::uint8_t {
    unknown,
    hmma_1688,
    hmma_16816,
    hmma_1684_tf32,
    hmma_1688_tf32,
    imma_8816,
    imma_16816,
    imma_16832,
    qmma_16832,
    dmma_884,
    mfma_16x16x16_f16,
    mfma_32x32x8_f16,
    mfma_16x16x32_fp8,
    mfma_32x32x16_fp8,
    hgmma_64x64x16,
    hgmma_64x128x16,
    hgmma_64x256x16,
    qgmma_64x128x32,
    qgmma_64x256x32,
    igmma_64x256x32,
    hgmma_64x256x8_tf32,
    utchmma_128x64x16,
    utchmma_128x128x16,
    utchmma_128x256x16,
    utchmma_64x64x16,
    utchmma_64x128x16,
    utchmma_64x256x16,
    utchmma_128x64x16_ts,
    utchmma_128x128x16_ts,
    utchmma_128x256x16_ts,
    utchmma_256x128x16_2cta,
    utchmma_256x256x16_2cta,
    utchmma_128x256x16_2cta
};

/// The operations that have a name in files: SASS has the digits of m, n and k without a separator.
inline constexpr NameTable<MatrixOp> kMatrixOps{
    "matrix instruction",
    {{MatrixOp::hmma_1688, "HMMA.1688", "mma.sync m16n8k8 of FP16 or BF16"},
     {MatrixOp::hmma_16816, "HMMA.16816", "mma.sync m16n8k16 of FP16 or BF16"},
     {MatrixOp::hmma_1684_tf32, "HMMA.1684.TF32", "mma.sync m16n8k4 of TF32"},
     {MatrixOp::hmma_1688_tf32, "HMMA.1688.TF32", "mma.sync m16n8k8 of TF32"},
     {MatrixOp::imma_8816, "IMMA.8816", "mma.sync m8n8k16 of 8-bit integers"},
     {MatrixOp::imma_16816, "IMMA.16816", "mma.sync m16n8k16 of 8-bit integers"},
     {MatrixOp::imma_16832, "IMMA.16832", "mma.sync m16n8k32 of 8-bit integers"},
     {MatrixOp::qmma_16832, "QMMA.16832", "mma.sync m16n8k32 of FP8"},
     {MatrixOp::dmma_884, "DMMA.884", "mma.sync m8n8k4 of doubles"},
     {MatrixOp::mfma_16x16x16_f16, "MFMA.16X16X16.F16", "v_mfma_f32_16x16x16_f16, or _bf16"},
     {MatrixOp::mfma_32x32x8_f16, "MFMA.32X32X8.F16", "v_mfma_f32_32x32x8_f16, or _bf16"},
     {MatrixOp::mfma_16x16x32_fp8, "MFMA.16X16X32.FP8", "v_mfma_f32_16x16x32_fp8_fp8"},
     {MatrixOp::mfma_32x32x16_fp8, "MFMA.32X32X16.FP8", "v_mfma_f32_32x32x16_fp8_fp8"},
     {MatrixOp::hgmma_64x64x16, "HGMMA.64x64x16", "wgmma m64n64k16 of FP16 or BF16: a warp's quarter"},
     {MatrixOp::hgmma_64x128x16, "HGMMA.64x128x16", "wgmma m64n128k16 of FP16 or BF16: a warp's quarter"},
     {MatrixOp::hgmma_64x256x16, "HGMMA.64x256x16", "wgmma m64n256k16 of FP16 or BF16: a warp's quarter"},
     {MatrixOp::qgmma_64x128x32, "QGMMA.64x128x32", "wgmma m64n128k32 of FP8: a warp's quarter"},
     {MatrixOp::qgmma_64x256x32, "QGMMA.64x256x32", "wgmma m64n256k32 of FP8: a warp's quarter"},
     {MatrixOp::igmma_64x256x32, "IGMMA.64x256x32", "wgmma m64n256k32 of 8-bit integers: a warp's quarter"},
     {MatrixOp::hgmma_64x256x8_tf32, "HGMMA.64x256x8.TF32", "wgmma m64n256k8 of TF32: a warp's quarter"},
     {MatrixOp::utchmma_128x64x16, "UTCHMMA.128x64x16", "tcgen05.mma m128n64k16 of FP16 or BF16"},
     {MatrixOp::utchmma_128x128x16, "UTCHMMA.128x128x16", "tcgen05.mma m128n128k16 of FP16 or BF16"},
     {MatrixOp::utchmma_128x256x16, "UTCHMMA.128x256x16", "tcgen05.mma m128n256k16 of FP16 or BF16"},
     {MatrixOp::utchmma_64x64x16, "UTCHMMA.64x64x16", "tcgen05.mma m64n64k16 of FP16 or BF16"},
     {MatrixOp::utchmma_64x128x16, "UTCHMMA.64x128x16", "tcgen05.mma m64n128k16 of FP16 or BF16"},
     {MatrixOp::utchmma_64x256x16, "UTCHMMA.64x256x16", "tcgen05.mma m64n256k16 of FP16 or BF16"},
     {MatrixOp::utchmma_128x64x16_ts, "UTCHMMA.128x64x16.TS",
      "tcgen05.mma m128n64k16 of FP16 or BF16, A from tensor memory"},
     {MatrixOp::utchmma_128x128x16_ts, "UTCHMMA.128x128x16.TS",
      "tcgen05.mma m128n128k16 of FP16 or BF16, A from tensor memory"},
     {MatrixOp::utchmma_128x256x16_ts, "UTCHMMA.128x256x16.TS",
      "tcgen05.mma m128n256k16 of FP16 or BF16, A from tensor memory"},
     {MatrixOp::utchmma_256x128x16_2cta, "UTCHMMA.256x128x16.2CTA",
      "tcgen05.mma m256n128k16 of FP16 or BF16: an SM's half of a pair"},
     {MatrixOp::utchmma_256x256x16_2cta, "UTCHMMA.256x256x16.2CTA",
      "tcgen05.mma m256n256k16 of FP16 or BF16: an SM's half of a pair"},
     {MatrixOp::utchmma_128x256x16_2cta, "UTCHMMA.128x256x16.2CTA",
      "tcgen05.mma m128n256k16 of FP16 or BF16: an SM's half of a pair"}}};
inline constexpr unsigned kMatrixOpCount = kMatrixOps.size() + 1; ///< with `unknown`

/// Who issues a matrix instruction, and on how many of an SM's tensor cores it runs.
enum class MatrixIssue : std::uint8_t {
    warp,       ///< a warp, on its scheduler's tensor core; registers are read and written (mma.sync, MFMA)
    warp_group, ///< each of four warps its quarter of the rows, asynchronously (wgmma)
    block,      ///< a thread for its SM, on all tensor cores, asynchronously (tcgen05)
    pair        ///< the same over two SMs, each of which issues its half of the rows
};

/// Size of an instruction, as one warp issues it.
struct MatrixShape {
    unsigned m = 0, n = 0, k = 0;
    MatrixData data = MatrixData::half;
    MatrixIssue issue = MatrixIssue::warp;
    bool a_in_tensor_memory = false; ///< else in shared memory; of tcgen05

    /// Whether its warp goes on at once: later instructions add to the same accumulators in order, and what reads
    /// them waits.
    bool is_asynchronous() const { return issue != MatrixIssue::warp; }
    bool is_of_sm() const { return issue == MatrixIssue::block || issue == MatrixIssue::pair; }
    /// Multiply-adds of an instruction, each two floating-point operations.
    std::uint64_t multiply_adds() const { return std::uint64_t{m} * n * k; }
};

/// All zeros for `unknown`.
constexpr MatrixShape shape_of(MatrixOp op) {
    switch (op) {
    case MatrixOp::unknown: break;
    case MatrixOp::hmma_1688: return {16, 8, 8, MatrixData::half};
    case MatrixOp::hmma_16816: return {16, 8, 16, MatrixData::half};
    case MatrixOp::hmma_1684_tf32: return {16, 8, 4, MatrixData::tf32};
    case MatrixOp::hmma_1688_tf32: return {16, 8, 8, MatrixData::tf32};
    case MatrixOp::imma_8816: return {8, 8, 16, MatrixData::int8};
    case MatrixOp::imma_16816: return {16, 8, 16, MatrixData::int8};
    case MatrixOp::imma_16832: return {16, 8, 32, MatrixData::int8};
    case MatrixOp::qmma_16832: return {16, 8, 32, MatrixData::fp8};
    case MatrixOp::dmma_884: return {8, 8, 4, MatrixData::fp64};
    case MatrixOp::mfma_16x16x16_f16: return {16, 16, 16, MatrixData::half};
    case MatrixOp::mfma_32x32x8_f16: return {32, 32, 8, MatrixData::half};
    case MatrixOp::mfma_16x16x32_fp8: return {16, 16, 32, MatrixData::fp8};
    case MatrixOp::mfma_32x32x16_fp8: return {32, 32, 16, MatrixData::fp8};
    case MatrixOp::hgmma_64x64x16: return {16, 64, 16, MatrixData::half, MatrixIssue::warp_group};
    case MatrixOp::hgmma_64x128x16: return {16, 128, 16, MatrixData::half, MatrixIssue::warp_group};
    case MatrixOp::hgmma_64x256x16: return {16, 256, 16, MatrixData::half, MatrixIssue::warp_group};
    case MatrixOp::qgmma_64x128x32: return {16, 128, 32, MatrixData::fp8, MatrixIssue::warp_group};
    case MatrixOp::qgmma_64x256x32: return {16, 256, 32, MatrixData::fp8, MatrixIssue::warp_group};
    case MatrixOp::igmma_64x256x32: return {16, 256, 32, MatrixData::int8, MatrixIssue::warp_group};
    case MatrixOp::hgmma_64x256x8_tf32: return {16, 256, 8, MatrixData::tf32, MatrixIssue::warp_group};
    case MatrixOp::utchmma_128x64x16: return {128, 64, 16, MatrixData::half, MatrixIssue::block};
    case MatrixOp::utchmma_128x128x16: return {128, 128, 16, MatrixData::half, MatrixIssue::block};
    case MatrixOp::utchmma_128x256x16: return {128, 256, 16, MatrixData::half, MatrixIssue::block};
    case MatrixOp::utchmma_64x64x16: return {64, 64, 16, MatrixData::half, MatrixIssue::block};
    case MatrixOp::utchmma_64x128x16: return {64, 128, 16, MatrixData::half, MatrixIssue::block};
    case MatrixOp::utchmma_64x256x16: return {64, 256, 16, MatrixData::half, MatrixIssue::block};
    case MatrixOp::utchmma_128x64x16_ts: return {128, 64, 16, MatrixData::half, MatrixIssue::block, true};
    case MatrixOp::utchmma_128x128x16_ts: return {128, 128, 16, MatrixData::half, MatrixIssue::block, true};
    case MatrixOp::utchmma_128x256x16_ts: return {128, 256, 16, MatrixData::half, MatrixIssue::block, true};
    case MatrixOp::utchmma_256x128x16_2cta: return {128, 128, 16, MatrixData::half, MatrixIssue::pair};
    case MatrixOp::utchmma_256x256x16_2cta: return {128, 256, 16, MatrixData::half, MatrixIssue::pair};
    case MatrixOp::utchmma_128x256x16_2cta: return {64, 256, 16, MatrixData::half, MatrixIssue::pair};
    }
    return {};
}

} // namespace numavp
