/// Two or more runs by what results have beside their statistics: issue slots and latencies of accesses.
#pragma once

#include <vector>

#include "platform/compare/comparison.h"

namespace numavp {

/// Shares of all slots by cause, resident warps, and when sockets had no warp any more, whether they differ or not;
/// with `each` of each socket. Empty if no run has slots.
std::vector<NumberDifference> slot_differences(const std::vector<ComparedRun>& runs, bool each);

/// Number, mean and percentiles of the classes that some run has accesses of, in ns, whether they differ or not.
std::vector<NumberDifference> access_latency_differences(const std::vector<ComparedRun>& runs);

} // namespace numavp
