/// From a system's configuration to its host: what the modules need, what the driver's registers say.
#pragma once

#include <string>

#include "models/host/host.h"
#include "platform/machine/system_config.h"

namespace numavp {

/// `alone`: a host without sockets.
HostConfig host_config(const SystemConfig& config, const TableRegion& region, bool alone);
/// Fills in what the driver reads.
void set_registers(SystemRegisters& registers, const SystemConfig& config, const TableRegion& region);
/// The image of the RISC-V execution; ConfigError if there is none.
std::string firmware_file(const SystemConfig& config);

} // namespace numavp
