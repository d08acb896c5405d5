/// Sockets that request and memories that serve, in a system with a network: rows and columns of its traffic matrix.
#pragma once

#include <vector>

#include "tlm-links/packet/network_fabric.h"

namespace numavp {

struct SystemConfig;

/// Requesters and memories, in the order of the sockets.
struct TrafficEnds {
    std::vector<unsigned> askers; ///< sockets with SMs, and the host's core
    std::vector<CountedHome> homes;
};
TrafficEnds traffic_ends(const SystemConfig& config);

} // namespace numavp
