/// `numavp network`: latency over load of a network, without GPUs.
#pragma once

#include <string>

#include "platform/cli/cli_words.h"

namespace numavp {

/// Measures the points that the words ask for, writes the file that they name, and returns the text to print.
std::string network_command(const NetworkWords& words);

} // namespace numavp
