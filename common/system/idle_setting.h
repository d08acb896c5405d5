/// Settings of mechanisms that a system does not have.
#pragma once

#include <string>

#include "common/system/system_config.h"

namespace numavp {

/// Why the setting at a path without its "$." ("placement.lab_percent") changes nothing in the system, such as
/// "placement.policy is not lab"; empty if it may change something. Not of settings of sockets.
std::string why_idle(const SystemConfig& config, const std::string& path);

/// The same for a setting of a socket ("memory.latency_ns").
std::string why_idle(const SocketConfig& socket, const std::string& setting);

} // namespace numavp
