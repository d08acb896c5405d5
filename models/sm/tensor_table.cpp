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
// CDNA 3 white paper, a CU a cycle: 2,048 operations of FP16 and BF16, 4,096 of FP8 and INT8.
constexpr Rates kCdna3Rates = {1024, 2048, 2048, 0, 0};

const Rates& rates_of(TensorCores cores) {
    static constexpr Rates kNoRates{};
    switch (cores) {
    case TensorCores::none: break;
    case TensorCores::ampere: return kAmpereRates;
    case TensorCores::hopper_mma_sync: return kHopperRates;
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
    case TensorCores::hopper_mma_sync: return 24;
    case TensorCores::blackwell_mma_sync: return 26;
    case TensorCores::cdna3: return 16;
    }
    return 0;
}

} // namespace

MatrixTiming matrix_timing(TensorCores cores, MatrixOp op, unsigned schedulers) {
    if (op == MatrixOp::unknown || cores == TensorCores::none) return {};
    const MatrixShape shape = shape_of(op);
    const double rate = rates_of(cores)[static_cast<unsigned>(shape.data)];
    if (rate == 0) return {};
    const double interval = static_cast<double>(shape.multiply_adds() * schedulers) / rate;
    return {interval, std::max(chain_latency(cores, op), static_cast<unsigned>(std::ceil(interval)))};
}

} // namespace numavp
