/// The part of a run's summary by stream.
#pragma once

#include <string>

#include "base/config/config_file.h"
#include "common/words/text.h"

namespace numavp {

/// A table for the terminal with its heading; empty unless several streams have launches. `streams`: a list of rows as
/// json_of(StreamTable) gives it, or null.
std::string streams_text(const ordered_json& streams, const Style& style);

} // namespace numavp
