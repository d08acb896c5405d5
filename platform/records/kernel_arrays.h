/// Which arrays a kernel touches.
#pragma once

#include <vector>

#include "sw/kernels/workload.h"

namespace numavp {

struct KernelArrays {
    std::vector<bool> reads, writes; ///< an element a range; an atomic does both
};

/// The range that holds an address; `ranges.size()` if none does.
std::size_t range_of(const std::vector<Range>& ranges, std::uint64_t address);

/// From the instructions of some blocks, spread evenly from the first to the last; of a kernel of few blocks from all.
KernelArrays touched_arrays(Kernel& kernel, const std::vector<Range>& ranges);

} // namespace numavp
