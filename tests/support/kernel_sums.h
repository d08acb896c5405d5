/// Counters of all kernels against the statistics.
#pragma once

#include <string>

#include "platform/machine/system.h"

namespace numavp::test {

/// What of the rows by kernel does not sum to the statistics, and what statistic no column has, a line each; empty if
/// all is well.
std::string wrong_sums(const System& system);

} // namespace numavp::test
