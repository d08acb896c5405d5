/// `numavp check`: reads a file whole, says what kind of file it is and reports the first error in it.
#pragma once

#include <string>
#include <vector>

namespace numavp {

/// One sentence about a system, a workload, a study, results, a .traceg[.xz] or a kernelslist.g, all of which was read
/// (every line of a trace). Settings are those of a system or a network. ConfigError with what is wrong.
std::string check_file(const std::string& path, const std::vector<std::string>& settings = {});

} // namespace numavp
