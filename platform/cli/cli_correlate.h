/// The command `numavp correlate`: measured kernels beside runs of the same work.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

/// Numbers are kept as they were typed.
struct CorrelateWords {
    std::string measurements, system;
    std::vector<std::string> kernels, set;
    std::string traces, launch, csv, report; ///< empty: not given
    bool json = false, quiet = false;
};

void add_correlate(CLI::App& app, CorrelateWords& words);
std::string correlate_command(const CorrelateWords& words);

} // namespace numavp
