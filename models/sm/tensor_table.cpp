#include "models/sm/tensor_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace numavp {
namespace {

/// Multiply-adds of an SM a cycle by MatrixData: half, fp8, int8, tf32, fp64.
using Rates = std::array<double, kMatrixDataKinds>;

// A100 white paper, Table 1: 312 TFLOPS of FP16, 624 TOPS of INT8, 156 TFLOPS of TF32, 19.5 TFLOPS of FP64, over 108
// SMs of 1.41 GHz and two operations.
constexpr Rates kAmpereRates = {1024, 0, 2048, 512, 64};
// Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking" (2024): mma.sync
// reaches 62.9 % of an H800's peak as a mean over shapes, an interval of 6.4 cycles of m16n8k16 in place of 4; INT8
// 1.98 times that. Other kinds are not in the source that was read.
constexpr Rates kHopperRates = {1280, 0, 2560, 0, 0};
// A B300, measured: 569 to 577 TFLOPS of BF16 m16n8k16, half an instruction a cycle and SM. Its INT8 and FP64 are cut
// back, by how much was not read.
constexpr Rates kBlackwellRates = {1024, 0, 0, 0, 0};
// Luo et al.: wgmma m64nNk16 takes N/2 cycles with operands in shared memory and N of 64 and more, that is 64 * N * 16
// over 2,048. A replication on an H100 SXM: 976.6 TFLOPS of FP16, 488 of TF32, 1951 of FP8 and INT8.
constexpr Rates kWarpGroupRates = {2048, 4096, 4096, 1024, 0};
// CDNA 3 white paper, a CU a cycle: 2,048 operations of FP16 and BF16, 4,096 of FP8 and INT8.
constexpr Rates kCdna3Rates = {1024, 2048, 2048, 0, 0};

const Rates& rates_of(TensorCores cores, MatrixIssue issue) {
    static constexpr Rates kNoRates{};
    if (issue == MatrixIssue::warp_group) return cores == TensorCores::hopper ? kWarpGroupRates : kNoRates;
    switch (cores) {
    case TensorCores::none: break;
    case TensorCores::ampere: return kAmpereRates;
    case TensorCores::hopper:
    case TensorCores::hopper_mma_sync: return kHopperRates;
    case TensorCores::blackwell:
    case TensorCores::blackwell_mma_sync: return kBlackwellRates;
    case TensorCores::cdna3: return kCdna3Rates;
    }
    return kNoRates;
}

/// Cycles of a chain's step, rounded. Luo et al.: m16n8k16 of FP16 24.6 on an A100 and 24.1 on an H800, m16n8k32 of
/// INT8 26.0 and 24.0. Shapes that were not read have the latency of their machine's FP16. B300: 20 in one test and 26
/// in another; the longer. MFMA: the shortest of FP16 and FP8 takes 4 passes of 4 cycles, 32x32 takes 8 (LLVM,
/// SISchedule.td), and one that adds to the accumulator of the one before follows it at once.
unsigned chain_latency(TensorCores cores, MatrixOp op) {
    switch (cores) {
    case TensorCores::none: break;
    case TensorCores::ampere: return shape_of(op).data == MatrixData::int8 ? 26 : 25;
    case TensorCores::hopper:
    case TensorCores::hopper_mma_sync: return 24;
    case TensorCores::blackwell:
    case TensorCores::blackwell_mma_sync: return 26;
    case TensorCores::cdna3: return 16;
    }
    return 0;
}

/// tcgen05 on a B200, fitted to its microbenchmarks (SemiAnalysis, umma_latency): an instruction follows another after
/// the larger of its multiply-adds, N/2 cycles (N/4 for a pair with 128 rows, which splits N), and of the bytes that
/// its SM reads from shared memory, 128 a cycle: rows of A unless they are in tensor memory, and columns of B, of which
/// an SM of a pair reads half. From the multiply-adds' end to the result it takes 136 cycles, with 64 rows 120, with A
/// in tensor memory 104, for a pair with 256 rows 170 and with 128 rows 165.
MatrixTiming tensor_memory_timing(const MatrixShape& shape) {
    constexpr double kSharedBytes = 128;
    const bool pair = shape.issue == MatrixIssue::pair;
    const bool splits_n = pair && shape.m == 64;
    const unsigned element_bytes = shape.data == MatrixData::half ? 2 : 1;
    const unsigned lines = (shape.a_in_tensor_memory ? 0 : shape.m) + (pair ? shape.n / 2 : shape.n);
    const double arithmetic = shape.n / (splits_n ? 4.0 : 2.0);
    const double interval = std::max(arithmetic, lines * shape.k * element_bytes / kSharedBytes);
    const unsigned of_one = shape.a_in_tensor_memory ? 104 : shape.m == 64 ? 120 : 136;
    const unsigned behind = pair ? (splits_n ? 165 : 170) : of_one;
    return {interval, static_cast<unsigned>(std::ceil(arithmetic)) + behind};
}

} // namespace

MatrixTiming matrix_timing(TensorCores cores, MatrixOp op, unsigned schedulers) {
    if (op == MatrixOp::unknown || cores == TensorCores::none) return {};
    const MatrixShape shape = shape_of(op);
    if (shape.is_of_sm()) return cores == TensorCores::blackwell ? tensor_memory_timing(shape) : MatrixTiming{};
    const double rate = rates_of(cores, shape.issue)[static_cast<unsigned>(shape.data)];
    if (rate == 0) return {};
    const double interval = static_cast<double>(shape.multiply_adds() * schedulers) / rate;
    const auto whole = static_cast<unsigned>(std::ceil(interval));
    // Luo et al.: of wgmma the latency is that of its rate.
    return {interval, shape.is_asynchronous() ? whole : std::max(chain_latency(cores, op), whole)};
}

} // namespace numavp
