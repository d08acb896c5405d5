/// Mean latency of a socket's loads.
#pragma once

#include <vector>

#include "base/stats/ratio.h"

namespace numavp {

inline std::vector<Ratio> socket_ratios() {
    Ratio latency{"load_latency_ns",
                  {"load_latency.local.total_ps", "load_latency.remote.total_ps"},
                  {"load_latency.local.loads", "load_latency.remote.loads"},
                  "ns",
                  "Mean latency of load lines that left an SM."};
    latency.factor = 1e-3;
    return {latency};
}

} // namespace numavp
