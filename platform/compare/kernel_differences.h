/// Differences of runs by kernel: the launches that took longer, and the numbers in which they differ most.
#pragma once

#include <vector>

#include "platform/compare/comparison.h"

namespace numavp {

/// Matches the rows of the runs' `kernels` by kind, launch number and name; sorted by the change of their cycles. A run
/// without a row has no numbers in it. Empty if no run has statistics by kernel.
std::vector<KernelDifference> kernel_differences(const std::vector<ComparedRun>& runs);

} // namespace numavp
