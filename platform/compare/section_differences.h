/// Differences of runs in sections of the results besides statistics: issue slots and latencies of accesses.
#pragma once

#include <vector>

#include "platform/compare/comparison.h"

namespace numavp {

/// Shares of all slots by cause, resident warps, and the time of the last warp, also where they do not differ; with
/// `each` for each socket. Empty if no run has slots.
std::vector<NumberDifference> slot_differences(const std::vector<ComparedRun>& runs, bool each);

/// Number, mean and percentiles in ns of each class in which a run has accesses, also where they do not differ.
std::vector<NumberDifference> access_latency_differences(const std::vector<ComparedRun>& runs);

} // namespace numavp
