/// Derives a host's configuration and the content of the driver's registers from that of the system.
#pragma once

#include <memory>
#include <string>

#include "common/system/system_config.h"
#include "models/fault_server/host.h"
#include "models/fault_server/policy_object.h"

namespace numavp {

/// `alone`: a host without sockets.
HostConfig host_config(const SystemConfig& config, const TableRegion& region, bool alone);
/// Sets the registers from which the driver reads the system's configuration.
void set_registers(SystemRegisters& registers, const SystemConfig& config, const TableRegion& region);
/// Shows the driver how far sockets are from each other. `config` outlives it.
void show_distances(MachineLook& look, const SystemConfig& config);
/// The user's policy that a driver in C asks; null if the policy is one of numavp's. ConfigError if it can't be loaded.
std::unique_ptr<PolicyObject> policy_object(const SystemConfig& config);
/// File of the driver's image for the RISC-V execution; ConfigError if there is none.
std::string firmware_file(const SystemConfig& config);
/// The image in it; null for another execution. ConfigError if it can't be read, or lacks the policy that is asked for.
std::unique_ptr<ElfImage> driver_image(const SystemConfig& config);

} // namespace numavp
