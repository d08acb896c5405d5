/// Systems as results record them.
#pragma once

#include "base/config/config.h"

namespace numavp {

struct SystemConfig;

/// A recorded system as a document to which settings may be applied: its parts may change their number.
ConfigDocument resolved_document(const json& configuration, const std::string& file);
/// Reads a recorded system. ConfigError at `place`.
SystemConfig recorded_config(const json& configuration, const Place& place);

} // namespace numavp
