/// The output of NVBit's tool mem_trace as a workload: accesses of warps, without the instructions between them.
///
/// Lines that begin with "MEMTRACE:" are launches of kernels and warp instructions with 32 addresses; others are output
/// of the traced program and are skipped. A launch becomes a kernel with the accesses of its warps in their order, with
/// the width that the opcode gives. Not in such a trace, so not modelled: arithmetic, barriers, dependences (a warp
/// issues its accesses as fast as the machine takes them), registers, copies. Generic accesses count as global ones.
///
/// In some versions of the tool a warp's number is that of the hardware: numbers that do not fit a block are replaced
/// by their order of appearance. Kernels of different contexts or streams run side by side.
#pragma once

#include <string>

#include "sw/work/workload.h"

namespace numavp {

/// True if the name ends with .memtrace or .memtrace.xz.
bool is_mem_trace(const std::string& path);

/// Reads a whole trace; the accesses stay in memory, some 45 to 600 bytes each. ConfigError with the line.
Workload read_mem_trace(const std::string& path);

} // namespace numavp
