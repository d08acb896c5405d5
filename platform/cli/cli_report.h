/// `numavp report`.
#pragma once

#include <string>

#include "platform/cli/cli_words.h"

namespace numavp {

/// Writes the report of a run's folder, or of a file of a study's rows, and returns what is to be printed.
std::string report_command(const ReportWords& words);

} // namespace numavp
