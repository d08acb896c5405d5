/// Derives a host's configuration and the content of the driver's registers from that of the system.
#pragma once

#include <string>

#include "common/system/system_config.h"
#include "models/fault_server/host.h"

namespace numavp {

/// `alone`: a host without sockets.
HostConfig host_config(const SystemConfig& config, const TableRegion& region, bool alone);
/// Sets the registers from which the driver reads the system's configuration.
void set_registers(SystemRegisters& registers, const SystemConfig& config, const TableRegion& region);
/// File of the driver's image for the RISC-V execution; ConfigError if there is none.
std::string firmware_file(const SystemConfig& config);

} // namespace numavp
