/// Where the host's core stands in a machine.
#pragma once

#include <optional>

#include "platform/machine/system_config.h"

namespace numavp {

/// The socket that is its own; nothing where there is no core.
std::optional<SocketId> host_core_socket(const SystemConfig& config);
/// ConfigError at the place of what can't be.
void check_host_core(const SystemConfig& config, const Place& place);

} // namespace numavp
