/// Kernels side by side in one launch: the same work of several ranks, each on its own data.
#pragma once

#include <memory>
#include <vector>

#include "sw/work/workload.h"

namespace numavp {

/// Digit of block numbers that is the rank, the slowest one.
inline constexpr char kRankDigit = 'r';

/// The blocks of `ranks` one behind the other; all have the same shape but for their accesses. With one rank that
/// kernel. Ranks are equal ranges of blocks, so that `dispatch.split contiguous` gives each of as many sockets a rank.
/// Where the kernels name the digits of their block numbers, the rank is a further digit, kRankDigit; else there are
/// none.
std::shared_ptr<Kernel> join_kernels(std::vector<std::shared_ptr<Kernel>> ranks);

} // namespace numavp
