/// Use of the channels of a system's network in a run.
#pragma once

#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "common/system/network_alone.h"
#include "common/system/system_config.h"

namespace numavp {

/// A channel between two routers, one way.
struct ChannelUse {
    std::string link; ///< of network.links; empty: the common channel
    double gbps = 0;  ///< of the lanes that faced this way, in the mean
    ChannelLoad load{};
    double energy_pj = 0; ///< of packets and, where it is counted, of idle time
};

/// Of each channel of the graph of `network`, which is that of `config`. `results` are those of the run, or an empty
/// list follows if they have no statistics of a network.
std::vector<ChannelUse> channel_uses(const SystemConfig& config, const NetworkSystem& network,
                                     const ordered_json& results);

} // namespace numavp
