/// Kernels side by side in one launch: the same work of several ranks, each on its own data.
#pragma once

#include <memory>
#include <vector>

#include "sw/work/workload.h"

namespace numavp {

/// Digits of block numbers that are the rank, the slowest one but for the group of ranks.
inline constexpr char kRankDigit = 'r', kGroupDigit = 'd';

/// The blocks of `ranks` one behind the other; all have the same shape but for their accesses. With one rank that
/// kernel. Ranks are equal ranges of blocks, so that `dispatch.split contiguous` gives each of as many sockets a rank.
/// Where the kernels name the digits of their block numbers, the rank is a further digit, `digit`; else there are
/// none.
std::shared_ptr<Kernel> join_kernels(std::vector<std::shared_ptr<Kernel>> ranks, char digit = kRankDigit);
/// Ranks of a kernel whose block numbers name them, those of all groups; 0 of others.
std::uint64_t ranks_of(const KernelShape& shape);

} // namespace numavp
