/// `numavp characterize` of a machine without CPUs: the latency of its loads by footprint.
#pragma once

#include <string>

#include "platform/cli/cli_characterize.h"

namespace numavp {

/// True if the options ask for the latencies of a GPU: by --latency, or because the machine has no CPU whose copies
/// could be measured and no option asks for copies.
bool asks_for_latency(const CharacterizeWords& words);

/// Simulates the chases and returns the text to print.
std::string latency_command(const CharacterizeWords& words);

} // namespace numavp
