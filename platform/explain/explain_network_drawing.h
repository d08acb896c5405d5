/// A network in characters: its routers in rows and columns with the channels between neighbours.
#pragma once

#include <string>

#include "platform/machine/machine_network.h"

namespace numavp {

/// At most 100 columns and 40 lines. Empty for a network that has more, or that does not stand in rows and columns.
std::string network_drawing(const NetworkSystem& system);

} // namespace numavp
