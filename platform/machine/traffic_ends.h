/// Who asks and who serves in a system with a network: rows and columns of its traffic matrix.
#pragma once

#include <vector>

#include "tlm-links/packet/network_fabric.h"

namespace numavp {

struct SystemConfig;

/// In the order of the sockets.
struct TrafficEnds {
    std::vector<unsigned> askers; ///< sockets with SMs, and the host's core
    std::vector<CountedHome> homes;
};
TrafficEnds traffic_ends(const SystemConfig& config);

} // namespace numavp
