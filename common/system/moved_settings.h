/// Settings that earlier versions called otherwise, and systems as results have them.
#pragma once

#include "base/config/config.h"

namespace numavp {

struct SystemConfig;

/// ConfigError at the place of a setting of a system's file that has another path now, which it says.
void refuse_moved_settings(const ConfigDocument& system);

/// A whole system, as results record it, to which settings may be applied: its parts may change their number.
ConfigDocument resolved_document(const json& configuration, const std::string& file);
/// The system of results, those of earlier versions too.
SystemConfig recorded_config(const json& configuration, const Place& place);

} // namespace numavp
