/// The state of a run as text for a terminal: what its live page shows, in less room.
#pragma once

#include <string>

#include "base/config/config_file.h"
#include "common/words/text.h"

namespace numavp {

/// `state` is that of LiveState. ConfigError if a member is missing or of another kind, as of another version.
std::string live_text(const ordered_json& state, const Style& style);

/// The first `rows` lines of a text, each cut at `columns` characters; 0: as many as there are.
std::string cut_to(const std::string& text, std::size_t columns, std::size_t rows);

} // namespace numavp
