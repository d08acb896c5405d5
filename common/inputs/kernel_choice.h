/// Selects the launches of a workload that are run: all, or a range of their numbers.
///
/// Launches of kernels are numbered from 1 in workload order. Omitted launches take no time and touch no memory: caches
/// are cold, and pages get their homes by the first touch among the launches that run. Copies to devices are kept up to
/// the last kernel that runs; host phases and other copies from the first such kernel up to the one behind the last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sw/work/workload.h"

namespace numavp {

struct KernelChoice {
    std::uint64_t first = 1;
    std::optional<std::uint64_t> last; ///< none: to the end
    std::string option;                ///< that chose, for errors; empty: all are run
    bool all() const { return option.empty(); }
};

/// Parses the options --kernels (A..B, A.., ..B or A), --until-kernel and --skip-to, empty if not given. ConfigError
/// for a malformed range, and if --kernels is given with one of the others.
KernelChoice kernel_choice(const std::string& kernels, const std::string& until, const std::string& skip_to);

/// Removes the other launches from the workload; those that stay keep their numbers. Returns the range as "A..B", or
/// empty if all are run. ConfigError if the workload has fewer launches.
std::string choose_kernels(Workload& workload, const KernelChoice& choice);

} // namespace numavp
