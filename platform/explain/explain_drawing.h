/// The topology in characters: sockets as boxes on the switch, and the inside of one.
#pragma once

#include <string>

#include "platform/machine/system_config.h"

namespace numavp {

/// At most 100 columns wide; of more than four sockets the first three and the last are drawn.
std::string drawing(const SystemConfig& config);

} // namespace numavp
