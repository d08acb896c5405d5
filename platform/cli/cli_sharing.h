/// `numavp check WORKLOAD --sharing`: pages by how many SMs touch them, without simulation.
#pragma once

#include <string>
#include <vector>

namespace numavp {

/// Words of `numavp check`. Numbers are kept as they were typed.
struct CheckWords {
    std::vector<std::string> files, set;
    std::string sms, split, page_bytes, instructions, scale; ///< empty: not given
    bool sharing = false, json = false, quiet = false;
};

/// Walks a workload given by name, file or trace, with progress on stderr, and returns the text to print: a table, or a
/// line of JSON with `words.json`. ConfigError with the first error.
std::string sharing_command(const std::string& workload, const CheckWords& words);

} // namespace numavp
