/// `numavp check`: reads a file whole, says what kind of file it is and reports the first error in it.
#pragma once

#include <string>

namespace numavp {

/// Reads all of a system, workload, study, results, .traceg[.xz] (every line) or kernelslist.g, and returns a sentence
/// about it. ConfigError with the first error.
std::string check_file(const std::string& path);

} // namespace numavp
