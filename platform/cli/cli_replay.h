/// `numavp replay-faults`.
#pragma once

#include <string>

#include "platform/cli/cli_words.h"

namespace numavp {

/// Feeds recorded faults to the page-fault unit and returns what the driver did with them, to be printed.
std::string replay_command(const ReplayWords& words);

} // namespace numavp
