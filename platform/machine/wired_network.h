/// Networks of a system whose channels a file lists as wires between parts.
#pragma once

#include "platform/machine/network_settings.h"

namespace numavp {

/// A router for each socket, the host's memory and each part that is a router alone, joined as network.wires says;
/// ConfigError at the place in `network` of what can't be.
SystemNetwork wired_network(const SystemConfig& config, const Place& network, RoutedFor packets);
/// ConfigError if a file lists wires, links or routers alone for another topology.
void refuse_wires(const SystemConfig& config, const Place& network);

} // namespace numavp
