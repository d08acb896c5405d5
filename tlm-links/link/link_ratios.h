/// Bandwidth of a socket's link.
#pragma once

#include <vector>

#include "base/stats/ratio.h"

namespace numavp {

inline std::vector<Ratio> link_ratios() {
    return {
        by_interval(rate_of("link.gbps", {"link.out.bytes"}, RatioPer::ns, "GB/s", "Bandwidth sent by links."),
                    {"link.out_bytes"}),
        by_interval(rate_of("link.in_gbps", {"link.in.bytes"}, RatioPer::ns, "GB/s", "Bandwidth received by links."),
                    {"link.in_bytes"})};
}

} // namespace numavp
