/// The topology drawn in characters: sockets as boxes on the switch, and the inside of one socket.
#pragma once

#include <string>

#include "common/system/system_config.h"

namespace numavp {

/// The drawing is at most 100 columns wide; of more than four sockets it shows the first three and the last.
std::string drawing(const SystemConfig& config);

} // namespace numavp
