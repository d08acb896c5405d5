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
    mfma_32x32x16_fp8
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
     {MatrixOp::mfma_32x32x16_fp8, "MFMA.32X32X16.FP8", "v_mfma_f32_32x32x16_fp8_fp8"}}};
inline constexpr unsigned kMatrixOpCount = kMatrixOps.size() + 1; ///< with `unknown`

struct MatrixShape {
    unsigned m = 0, n = 0, k = 0;
    MatrixData data = MatrixData::half;
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
    }
    return {};
}

} // namespace numavp
