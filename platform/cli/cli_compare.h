/// `numavp compare`.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

struct CompareWords {
    std::vector<std::string> runs;                               ///< folders, or configurations of a study
    std::string study, workload, db, scale, figure, csv, report; ///< empty: not given
    bool all = false, each = false, json = false;
};

void add_compare(CLI::App& app, CompareWords& words);

/// Compares, writes the files that were asked for, and returns what is to be printed.
std::string compare_command(const CompareWords& words);

} // namespace numavp
