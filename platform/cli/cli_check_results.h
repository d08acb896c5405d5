/// What `check` says of the files that a run wrote.
#pragma once

#include <string>

#include "models/base/config.h"

namespace numavp {

/// True if the keys are those of a file of a run, whole or not: results.json, timeline.json or run.json.
bool is_of_a_run(const json& value);
/// What the file is. ConfigError with what is missing or wrong.
std::string check_of_a_run(const ConfigDocument& document);
/// True if a run wrote the folder, or a part of it.
bool holds_results(const std::string& folder);
/// The same for the three files of a folder.
std::string check_results_folder(const std::string& folder);

} // namespace numavp
