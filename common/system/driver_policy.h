/// Names of a driver's placement policies: those of the table in sw/driver/policy.c, the path of a shared object of the
/// user's, or `own`, the policy of a firmware image of the user's.
#pragma once

#include <cstdint>
#include <string>

#include "base/config/config.h"
#include "models/fault_server/driver_config.h"

namespace numavp {

/// True for a path: it has a slash, or ends in `.so`, and names of the table do neither.
bool is_policy_object(const std::string& policy);
/// True if a policy that is not of the table decides.
bool has_own_policy(const DriverConfig& driver);
/// Content of the register system.policy. The policy must be one that check_driver_policy() lets pass.
std::uint64_t policy_register(const std::string& policy);
/// ConfigError at `driver`, the place of the driver's settings, if its execution has no such policy. A file is not
/// looked at.
void check_driver_policy(const DriverConfig& driver, const Place& place);

} // namespace numavp
