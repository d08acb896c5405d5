/// The machine that the program runs on, as hwloc detects it.
#pragma once

#include <string>

namespace numavp {

/// XML of hwloc for this machine. ConfigError if this build has no hwloc, or hwloc fails.
std::string xml_of_this_machine();

} // namespace numavp
