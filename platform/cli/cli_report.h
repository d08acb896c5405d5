/// `numavp report`.
#pragma once

#include <string>

#include "platform/cli/cli_words.h"

namespace numavp {

/// Writes the report of a run's folder, or of a file with a study's rows, and returns the text to print.
std::string report_command(const ReportWords& words);

} // namespace numavp
