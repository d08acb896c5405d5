/// The numbers of runs that a person asks for first.
#pragma once

#include <vector>

#include "platform/compare/comparison.h"

namespace numavp {

/// Time, rates, hit rates and latencies over all sockets; what no run has is left out.
std::vector<NumberDifference> headline_of(const std::vector<ComparedRun>& runs);

} // namespace numavp
