/// Two or more runs by kernel: which launch took longer, and what of it differs most.
#pragma once

#include <vector>

#include "platform/compare/comparison.h"

namespace numavp {

/// Rows of the runs' `kernels`, matched by kind, launch number and name, by the change of their cycles. A row that a
/// run does not have has none of its numbers. Empty if no run has statistics by kernel.
std::vector<KernelDifference> kernel_differences(const std::vector<ComparedRun>& runs);

} // namespace numavp
