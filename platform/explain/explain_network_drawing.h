/// A network drawn in characters: routers in rows and columns with the channels between neighbours.
#pragma once

#include <string>

#include "common/system/network_alone.h"

namespace numavp {

/// At most 100 columns and 40 lines; empty for a larger network, or one without rows and columns.
std::string network_drawing(const NetworkSystem& system);

} // namespace numavp
