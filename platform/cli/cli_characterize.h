/// `numavp characterize`: the microbenchmarks of a machine, tables of them, and measurements beside them.
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "platform/cli/machine_words.h"

namespace numavp {

struct CharacterizeWords : MachineWords {
    std::string benchmark, csv, against, report, largest; ///< empty: not given
    bool json = false, quiet = false;
};

void add_characterize(CLI::App& app, CharacterizeWords& words);

/// Runs the benchmarks and returns what is to be printed.
std::string characterize_command(const CharacterizeWords& words);

} // namespace numavp
