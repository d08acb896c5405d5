/// The most important numbers of runs.
#pragma once

#include <vector>

#include "platform/compare/comparison.h"

namespace numavp {

/// Time, rates, hit rates and latencies over all sockets; numbers that no run has are left out.
std::vector<NumberDifference> headline_of(const std::vector<ComparedRun>& runs);

} // namespace numavp
