/// `numavp predict`: time of an application graph on a machine.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "platform/cli/machine_words.h"

namespace numavp {

struct PredictWords : MachineWords {
    std::string graph, report;      ///< empty: not given
    std::vector<std::string> times; ///< results of runs
    bool json = false;
};

void add_predict(CLI::App& app, PredictWords& words);

/// Runs the graph and returns the text to print.
std::string predict_command(const PredictWords& words);

} // namespace numavp
