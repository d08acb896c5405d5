/// Finds a setting of sockets that changes none, since members for some of them override it in each.
#pragma once

#include <string>

#include "models/base/config.h"
#include "platform/machine/system_config.h"

namespace numavp {

/// To be called for a value that was set at `path` ("$.socket.l2.ways") in `document`, from which `config` was read.
/// ConfigError if every socket that the path names has that value from another member, such as "partition". An object,
/// a value inside a list, and one that a later assignment has replaced with all around it are not looked at. Settings
/// outside `socket` and the parts' members are not either.
void refuse_overridden(const ConfigDocument& document, const SystemConfig& config, const std::string& path);

} // namespace numavp
