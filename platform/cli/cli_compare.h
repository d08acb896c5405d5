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

/// Compares the runs, writes the files that were asked for, and returns the text to print.
std::string compare_command(const CompareWords& words);

} // namespace numavp
