/// Kernels side by side in one launch: the same work of several ranks, each on its own data.
#pragma once

#include <memory>
#include <vector>

#include "sw/work/workload.h"

namespace numavp {

/// Digit of a kernel's block numbers that is the rank within its group.
inline constexpr char kRankDigit = 'r';
/// Digit that is the group of ranks: the slowest one.
inline constexpr char kGroupDigit = 'd';

/// One launch of the blocks of all `parts`, one behind the other: ranks of a group, or groups. All have the same shape
/// but for their accesses. One part is that kernel. Parts are equal ranges of blocks, so that `dispatch.split
/// contiguous` gives each of as many sockets a rank. Where the kernels name the digits of their block numbers, `digit`
/// is a further one, the part; else there are none.
std::shared_ptr<Kernel> join_kernels(std::vector<std::shared_ptr<Kernel>> parts, char digit);
/// Number of ranks of a kernel, over all groups; 0 if its block numbers name none.
std::uint64_t ranks_of(const KernelShape& shape);

} // namespace numavp
