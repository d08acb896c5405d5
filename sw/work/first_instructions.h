/// The first instructions of a workload, as simulators run them: "10^9 instructions of each application".
#pragma once

#include <cstdint>

#include "sw/work/workload.h"

namespace numavp {

/// Ranges of a launch's blocks that advance side by side when it is cut: the SMs of the NUBA paper's GPU (Table 1).
inline constexpr std::uint64_t kCutRanges = 64;

/// Keeps the launches up to the one in which the `limit`-th thread instruction lies, and of that one the first blocks
/// of `kCutRanges` equal contiguous ranges, all ranges alike, up to the block with that instruction. Its other blocks
/// end at once; grid and arrays keep their size. What comes behind it is left out, copies and the host's work too.
///
/// Thread instructions are lanes that execute, of all kinds of instructions and all SMs, with repetitions, as GPGPU-Sim
/// counts them. The cut does not depend on the machine, so that systems which are compared do the same work. A workload
/// with fewer instructions is returned as it is; 0 is no limit. Walks what is kept once, about a second for 10^9.
Workload first_instructions(Workload workload, std::uint64_t limit);

/// Thread instructions of one block.
std::uint64_t thread_instructions(Kernel& kernel, std::uint64_t block);

} // namespace numavp
