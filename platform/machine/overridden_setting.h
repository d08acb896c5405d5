/// Finds a setting of all sockets that changes none, since each has a value of its own.
#pragma once

#include <string>

#include "models/base/config.h"
#include "platform/machine/system_config.h"

namespace numavp {

/// To be called for a value that was set at `path` ("$.socket.l2.ways") in `document`, from which `config` was read.
/// ConfigError if every socket that the path names has that value from another member, such as "partition". A value
/// inside a list is not looked at: a list replaces a list as a whole.
void refuse_overridden(const ConfigDocument& document, const SystemConfig& config, const std::string& path);

} // namespace numavp
