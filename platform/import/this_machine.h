/// The machine that the program runs on, as hwloc finds it.
#pragma once

#include <string>

namespace numavp {

/// hwloc's XML of it. ConfigError if this build has no hwloc, or it finds nothing.
std::string xml_of_this_machine();

} // namespace numavp
