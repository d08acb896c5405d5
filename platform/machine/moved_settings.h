/// Settings that earlier versions called otherwise.
#pragma once

#include "models/base/config.h"

namespace numavp {

/// ConfigError at the place of a setting of a system's file that has another path now, which it says.
void refuse_moved_settings(const ConfigDocument& system);

} // namespace numavp
