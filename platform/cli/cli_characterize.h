/// `numavp characterize`: the microbenchmarks of a machine, tables of them, and measurements beside them.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

struct CharacterizeWords {
    std::string machine, benchmark, csv, against, report, calibration, largest; ///< empty: not given
    std::vector<std::string> set;
    bool json = false, quiet = false;
};

void add_characterize(CLI::App& app, CharacterizeWords& words);

/// Runs the benchmarks and returns what is to be printed.
std::string characterize_command(const CharacterizeWords& words);

} // namespace numavp
