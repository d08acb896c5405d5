/// What the time outside kernels was spent on, from results.json.
#pragma once

#include <cstdint>

#include "common/system/system_config.h"
#include "platform/verdict/kernel_rows.h"

namespace numavp {

/// Cycles of the core clock. They sum to those of the rows `outside`.
struct OutsideTime {
    std::uint64_t launches = 0; ///< from a launch's start to its first block
    std::uint64_t flushes = 0;  ///< from a kernel's last answer to the end of its flush
    std::uint64_t copies = 0;   ///< with a copy under way
    std::uint64_t host = 0;     ///< with the host at work
    std::uint64_t rest = 0;     ///< unknown, or before and after all that
    std::uint64_t all() const { return launches + flushes + copies + host + rest; }
};

/// A cycle in which a flush and a launch are under way is the flush's. Copies and host get what is left of the time, as
/// far as they were busy. If launches were folded, and so have no times, `dispatch.launch_cycles` of each launch are
/// taken, and flushes are part of the rest.
OutsideTime outside_time(const SystemConfig& config, const KernelRows& kernels, std::uint64_t cycles);

} // namespace numavp
