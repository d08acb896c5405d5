/// `numavp branch`.
#pragma once

#include <string>
#include <vector>

#include "platform/cli/cli_words.h"

namespace numavp {

struct BranchesResult {
    std::string text;
    int status = 0; ///< of the first branch that failed
};

/// Simulates up to the kernel, then each branch in a process of its own, which ends here, and returns the table to
/// print.
BranchesResult branch_command(const BranchWords& words, const std::vector<std::string>& command_line);

} // namespace numavp
