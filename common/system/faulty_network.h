/// What the faults of a system mean for its links and its network.
#pragma once

#include <vector>

#include "common/system/faults_config.h"
#include "common/system/network_settings.h"

namespace numavp {

/// True if links or routers fail, so that packets need ways around them.
bool links_fail(const SystemConfig& config);
/// Virtual channels of a message class for packets on the ways of the topology: all but the one for ways around what
/// fails. ConfigError at `place` (network) if none is left.
unsigned channels_before_faults(const SystemConfig& config, const Place& place);
/// ConfigError at the place of an event that names what is not there, or of settings of errors that can't be.
void check_faults(const SystemConfig& config, const Place& system);
/// Adds the ways around what fails to a network. ConfigError if no way is left, or the topology has none.
void add_detour(SystemNetwork& made, const SystemConfig& config, const Place& system);

/// Lanes that are retired at a given time.
struct LaneFault {
    unsigned number = 0; ///< of the socket, or of the channel
    FaultSide side = FaultSide::out;
    unsigned lanes = 1;
    double at_us = 0.0;
};
/// Of sockets' own links.
std::vector<LaneFault> link_lane_faults(const SystemConfig& config);
/// Of channels of the network: each names the channel that loses lanes.
std::vector<LaneFault> channel_lane_faults(const SystemNetwork& made, const SystemConfig& config, const Place& system);
/// Time of the links and routers that fail.
double links_fail_at_us(const SystemConfig& config);

} // namespace numavp
