/// Which launches of a workload are run: all, or those with numbers from one to another.
///
/// Launches of kernels are numbered from 1 in the order of the workload. What is left out takes no time and touches
/// nothing: caches are cold and pages have no home but by who touches them first among what is left. Copies to
/// devices stay as far as the last kernel that is run, copies to the host behind the first one that is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sw/kernels/workload.h"

namespace numavp {

struct KernelChoice {
    std::uint64_t first = 1;
    std::optional<std::uint64_t> last; ///< none: to the end
    std::string option;                ///< that chose, for errors; empty: all are run
    bool all() const { return option.empty(); }
};

/// As --kernels (A..B, A.., ..B or A), --until-kernel and --skip-to were typed, empty if they were not. ConfigError for
/// what is no range, and for --kernels beside one of the others.
KernelChoice kernel_choice(const std::string& kernels, const std::string& until, const std::string& skip_to);

/// Leaves the choice of the workload's launches, which keep their numbers, and says it as "A..B"; empty if all are
/// run. ConfigError if the workload has fewer.
std::string choose_kernels(Workload& workload, const KernelChoice& choice);

} // namespace numavp
