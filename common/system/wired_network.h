/// Networks of systems whose file lists their channels as wires between parts.
#pragma once

#include "common/system/network_settings.h"

namespace numavp {

/// Makes a network with a router for each socket, the host's memory and each part that is a router alone, joined as
/// network.wires lists. ConfigError at the place in the system's file of a wire that can't be.
SystemNetwork wired_network(const SystemConfig& config, const Place& system, RoutedFor packets);
/// ConfigError if a file lists wires, links or routers alone but has another topology.
void refuse_wires(const SystemConfig& config, const Place& network);

} // namespace numavp
