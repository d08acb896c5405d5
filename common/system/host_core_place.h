/// Place of the host's core in a machine.
#pragma once

#include <optional>

#include "common/system/system_config.h"

namespace numavp {

/// The socket that is the host's core; none if the system has no such core.
std::optional<SocketId> host_core_socket(const SystemConfig& config);
/// ConfigError, at the place in question, if the host's core does not fit the system.
void check_host_core(const SystemConfig& config, const Place& place);

} // namespace numavp
