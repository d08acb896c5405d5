/// Shares of what the L1s of a socket's SMs do.
#pragma once

#include <vector>

#include "base/stats/ratio.h"

namespace numavp {

inline std::vector<Ratio> sm_ratios() {
    return {by_interval(share_of("l1.hit_rate", {"l1.hits"}, {"l1.load_lines"}, "Hits, of the load lines looked up."),
                        {"l1.hits"}, {"l1.load_lines"}),
            share_of("l1.merged_share", {"l1.merged"}, {"l1.load_lines"},
                     "Hits on lines on their way, of the load lines looked up."),
            share_of("remote_share", {"l1.misses_remote"}, {"l1.misses_local", "l1.misses_remote"},
                     "Loads to other sockets, of those that missed L1.")};
}

inline std::vector<Ratio> tensor_ratios() {
    return {rate_of("sm.matrix_gops", {"sm.matrix_operations"}, RatioPer::ns, "Gop/s",
                    "Rate of operations of matrix instructions.")};
}

} // namespace numavp
