/// `numavp check` for files that a run wrote.
#pragma once

#include <string>

#include "base/config/config.h"

namespace numavp {

/// Checks results.json, timeline.json or run.json and returns a sentence about it. ConfigError with the missing key or
/// the wrong value.
std::string check_of_a_run(const ConfigDocument& document);
/// True if the folder has a file of a run.
bool holds_results(const std::string& folder);
/// Checks the three files of a run's folder and returns a sentence about them. ConfigError as above.
std::string check_results_folder(const std::string& folder);

} // namespace numavp
