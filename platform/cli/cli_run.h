/// `numavp run`.
#pragma once

#include <string>
#include <vector>

#include "platform/cli/cli_words.h"

namespace numavp {

/// Simulates, writes the results, and returns the text to print. `command_line` is recorded in run.json.
std::string run_command(const RunWords& words, const std::vector<std::string>& command_line);

} // namespace numavp
