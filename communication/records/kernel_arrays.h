/// Finds the arrays that a kernel reads and writes.
#pragma once

#include <vector>

#include "sw/work/workload.h"

namespace numavp {

struct KernelArrays {
    std::vector<bool> reads, writes; ///< an element a range; an atomic does both
};

/// Index of the range that contains an address; `ranges.size()` if none does.
std::size_t range_of(const std::vector<Range>& ranges, std::uint64_t address);

/// Walks the instructions of some blocks, evenly spread from the first to the last; all blocks if they are few.
KernelArrays touched_arrays(Kernel& kernel, const std::vector<Range>& ranges);

} // namespace numavp
