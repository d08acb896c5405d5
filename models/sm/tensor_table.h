/// Tensor cores of an SM by architecture: rate and latency of each matrix instruction, as data with their sources.
///
/// Instructions of one warp on registers (mma.sync, MFMA), and asynchronous ones: of four warps (wgmma), and of an SM
/// with tensor memory (tcgen05). Not modelled: sparse and block-scaled forms, reads of shared memory by wgmma, and that
/// the two SMs of a pair begin together.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"
#include "sw/work/matrix_op.h"

namespace numavp {

enum class TensorCores : std::uint8_t { none, ampere, hopper_mma_sync, hopper, blackwell_mma_sync, blackwell, cdna3 };

/// Timing of a matrix instruction on one of an SM's tensor cores, of which each scheduler has one; of tcgen05 on all.
struct MatrixTiming {
    double interval = 0;  ///< cycles from an instruction to the next independent one; 0: no such instruction
    unsigned latency = 0; ///< cycles from its begin to the issue of an instruction that uses the result
    bool known() const { return interval != 0; }
};

/// Timing of `op` on an SM of so many schedulers. A shape of another maker takes the time of as many multiply-adds, so
/// that one workload runs on all machines; a kind of elements without a rate, and MatrixOp::unknown, have no timing.
MatrixTiming matrix_timing(TensorCores cores, MatrixOp op, unsigned schedulers);

inline constexpr NameTable<TensorCores> kTensorCores{
    "tensor cores",
    {{TensorCores::none, "none", "matrix instructions have the row of the table of execution units"},
     {TensorCores::ampere, "ampere", "A100: 1,024 multiply-adds of FP16 a cycle and SM; mma.sync in 25 cycles"},
     {TensorCores::hopper_mma_sync, "hopper_mma_sync",
      "H100, mma.sync as measured: 62.5 % of what wgmma reaches; in 24 cycles"},
     {TensorCores::hopper, "hopper",
      "H100: wgmma, 2,048 multiply-adds of FP16 a cycle and SM, asynchronous; mma.sync as hopper_mma_sync"},
     {TensorCores::blackwell_mma_sync, "blackwell_mma_sync",
      "B200, mma.sync of FP16 as measured on a B300: the rate of an A100, in 26 cycles"},
     {TensorCores::blackwell, "blackwell",
      "B200: tcgen05, 4,096 multiply-adds of FP16 a cycle and SM or what shared memory gives, asynchronous; mma.sync "
      "as blackwell_mma_sync"},
     {TensorCores::cdna3, "cdna3", "MI300X: 1,024 multiply-adds of FP16 a cycle and CU; MFMA, back to back"}}};

} // namespace numavp
