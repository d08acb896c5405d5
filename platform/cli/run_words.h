/// The words of `numavp run` and `numavp branch`.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

struct RunWords;
struct BranchWords;

/// The option --set of all commands that take a system.
void add_set(CLI::App& command, std::vector<std::string>& set);

void add_run(CLI::App& app, RunWords& words);
void add_branch(CLI::App& app, BranchWords& words);

} // namespace numavp
