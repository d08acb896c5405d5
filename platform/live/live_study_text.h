/// The state of a study as text for a terminal: what its live page shows, in less room.
#pragma once

#include <string>

#include "base/config/config_file.h"
#include "common/words/text.h"

namespace numavp {

/// True if a state is that of a study, and not of a run.
bool is_study_state(const ordered_json& state);

/// `state` is that of LiveStudyState. ConfigError if a member is missing or of another kind, as of another version.
std::string live_study_text(const ordered_json& state, const Style& style);

} // namespace numavp
