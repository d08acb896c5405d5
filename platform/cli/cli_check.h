/// `numavp check`: what a file is, and whether it is sound.
#pragma once

#include <string>

namespace numavp {

/// One sentence about a system, a workload, a study, results, a .traceg[.xz] or a kernelslist.g, all of which was read
/// (every line of a trace). ConfigError with what is wrong.
std::string check_file(const std::string& path);

} // namespace numavp
