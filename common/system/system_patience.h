/// How long a system may wait without progress before its run is taken for stuck.
#pragma once

#include "common/system/system_config.h"

namespace numavp {

/// ConfigError at `place` if a single access of an idle system could look like a run that is stuck.
void check_patience(const SystemConfig& config, const Place& place);

} // namespace numavp
