/// The machine that the program runs on, as hwloc detects it.
#pragma once

#include "communication/import/found_machine.h"

namespace numavp {

/// What hwloc finds of this machine. A note says so if the environment makes hwloc describe another one (HWLOC_XMLFILE,
/// HWLOC_SYNTHETIC, HWLOC_FSROOT). ConfigError if this build has no hwloc, or hwloc fails.
FoundMachine this_machine();

} // namespace numavp
