#include "models/sm/execution_table.h"

namespace numavp {

namespace {
using U = ExecutionUnit;

// Lanes: "Throughput of native arithmetic instructions" in NVIDIA's CUDA C++ Programming Guide (results a cycle and
// SM), half precision as instructions on pairs, so half of the guide's figure. Kinds of which the guide has several
// figures have the one of their commonest opcodes (conversions and bit counts: 16; shuffles and votes: 32).
// Branches: the guide has no figure; 32 lanes are the interval of 4 cycles that Accel-Sim gives its branch unit.
// Tensor: HMMA.884 steps every 2 cycles a scheduler (Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via
// Microbenchmarking", 2018, section 4.3); for Ampere, twice the work in a step of twice the rate.

// Latencies of Volta and Pascal: Jia et al., table 4.1 ("fixed and variable latencies"). On Volta they differ by opcode
// (sw/traces/sass_opcode.cpp), so the rows have none. On Pascal nearly all take 6.
constexpr ExecutionTable kPascal = {{
    {U::single_precision, 64, 6},
    {U::single_precision, 64, 6}, // no pipe of integers: the cores do both
    {U::single_precision, 64, 6},
    {U::double_precision, 32, 8},
    {U::special, 16, 14},
    {U::special, 16, 14},
    {U::single_precision, 64, 6}, // no tensor cores
    {U::branch, 32, 0},
    {U::other, 32, 0},
}};
constexpr ExecutionTable kVolta = {{
    {U::single_precision, 64, 0},
    {U::integer, 64, 0},
    {U::half_precision, 64, 0},
    {U::double_precision, 32, 0},
    {U::special, 16, 0},
    {U::special, 16, 0},
    {U::tensor, 64, 0},
    {U::branch, 32, 0},
    {U::other, 32, 0},
}};
// Latencies: Abdelkhalik et al., "Demystifying the Nvidia Ampere Architecture through Microbenchmarking and
// Instruction-level Analysis" (2022): 4 for single precision and integers as on Volta.
constexpr ExecutionTable kAmpere = {{
    {U::single_precision, 64, 4},
    {U::integer, 64, 4},
    {U::half_precision, 128, 4},
    {U::double_precision, 32, 8},
    {U::special, 16, 0},
    {U::special, 16, 0},
    {U::tensor, 64, 0},
    {U::branch, 32, 0},
    {U::other, 32, 0},
}};
// Measured on an H200 (bench/device/measurements/h200-2026-11-26.json, parts.unit_*): results a cycle and SM of 32
// warps with four chains each, cycles of a step of one warp's chain; HFMA2 as instructions. Not measured: tensor cores,
// branches.
constexpr ExecutionTable kHopper = {{
    {U::single_precision, 128, 4},
    {U::integer, 64, 4},
    {U::half_precision, 128, 8},
    {U::double_precision, 64, 8},
    {U::special, 16, 17},
    {U::special, 16, 17}, // POPC; I2FP is a simple integer operation
    {U::tensor, 64, 0},
    {U::branch, 32, 0},
    {U::other, 32, 0}, // SHFL; its latency is the opcode's, 23 for 24
}};

// Accel-Sim's trace.config: -trace_opcode_latency_initiation_{int,sp,dp,sfu} 2,2 2,2 8,4 20,8 of SM7_QV100, 4,2 4,2 8,4
// 20,8 of SM86_RTX3070 (latency, initiation interval of a warp); HFMA2 and its like at half the interval on the same
// unit; everything that is no floating point, matrix or branch goes to the integer unit (volta_opcode.h,
// ampere_opcode.h); branches 4,4. Tensor units: 8,4 (SM7_TITANV; versions of SM7_QV100 have 8,4 or 2,2) and 32,32.
constexpr ExecutionTable accel_sim(unsigned latency, unsigned tensor_lanes, unsigned tensor_latency) {
    return {{
        {U::single_precision, 64, latency},
        {U::integer, 64, latency},
        {U::single_precision, 128, latency},
        {U::double_precision, 32, 8},
        {U::special, 16, 20},
        {U::integer, 64, latency},
        {U::tensor, tensor_lanes, tensor_latency},
        {U::branch, 32, 4},
        {U::integer, 64, latency},
    }};
}
constexpr ExecutionTable kAccelSimVolta = accel_sim(2, 32, 8);
constexpr ExecutionTable kAccelSimAmpere = accel_sim(4, 4, 32);
} // namespace

const ExecutionTable& execution_table(Architecture architecture) {
    switch (architecture) {
    case Architecture::none: break; // not asked
    case Architecture::pascal: return kPascal;
    case Architecture::volta: return kVolta;
    case Architecture::ampere: return kAmpere;
    case Architecture::hopper: return kHopper;
    case Architecture::accel_sim_volta: return kAccelSimVolta;
    case Architecture::accel_sim_ampere: return kAccelSimAmpere;
    }
    static constexpr ExecutionTable kNone{};
    return kNone;
}

} // namespace numavp
