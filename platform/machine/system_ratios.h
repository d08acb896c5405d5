/// Rates of the machine as a whole.
#pragma once

#include <vector>

#include "base/stats/ratio.h"

namespace numavp {

/// Of the group `system`.
inline std::vector<Ratio> system_ratios() {
    return {rate_of("ipc", {"warp_instructions"}, RatioPer::cycle, "per cycle",
                    "Warp instructions in a cycle of the core clock, of all sockets.")};
}

} // namespace numavp
