/// Tensor cores of an SM by architecture: rate and latency of each matrix instruction, as data with their sources.
///
/// Instructions that read and write registers and are issued by one warp (mma.sync, MFMA). Not modelled: matrix
/// instructions of several warps (wgmma), of tensor memory (tcgen05), sparse and block-scaled forms.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"
#include "sw/work/matrix_op.h"

namespace numavp {

enum class TensorCores : std::uint8_t { none, ampere, hopper_mma_sync, blackwell_mma_sync, cdna3 };

/// Timing of a matrix instruction on one of an SM's tensor cores, of which each scheduler has one.
struct MatrixTiming {
    double interval = 0;  ///< cycles from an instruction to the next independent one; 0: no such instruction
    unsigned latency = 0; ///< cycles from issue to that of an instruction that uses the result
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
      "H100, mma.sync as measured: 62.5 % of what wgmma reaches, which is not modelled; in 24 cycles"},
     {TensorCores::blackwell_mma_sync, "blackwell_mma_sync",
      "B200, mma.sync of FP16 as measured on a B300: the rate of an A100, in 26 cycles"},
     {TensorCores::cdna3, "cdna3", "MI300X: 1,024 multiply-adds of FP16 a cycle and CU; MFMA, back to back"}}};

} // namespace numavp
