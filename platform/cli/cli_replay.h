/// `numavp replay-faults`.
#pragma once

#include <string>

#include "platform/cli/cli_words.h"

namespace numavp {

/// Replays recorded faults on the page-fault unit and returns the driver's results as text to print.
std::string replay_command(const ReplayWords& words);

} // namespace numavp
