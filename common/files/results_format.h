/// Format number and largest size of the files that a run writes.
#pragma once

#include <cstddef>

namespace numavp {

inline constexpr unsigned kResultsFormat = 1;
/// What is read of a file that a run wrote: a long series is larger than any file that somebody writes by hand.
inline constexpr std::size_t kMostResultsBytes = std::size_t{8} << 30;

} // namespace numavp
