/// Derives the ports and rates of the switch from a machine's configuration.
#pragma once

#include "common/system/system_config.h"
#include "tlm-links/crossbar/crossbar.h"

namespace numavp {

CrossbarShape switch_shape(const SystemConfig& config);

} // namespace numavp
