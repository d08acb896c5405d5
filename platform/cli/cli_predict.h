/// `numavp predict`: an application graph on a machine.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

struct PredictWords {
    std::string graph, machine, calibration, report; ///< empty: not given
    std::vector<std::string> set;
    bool json = false;
};

void add_predict(CLI::App& app, PredictWords& words);

/// Runs the graph and returns what is to be printed.
std::string predict_command(const PredictWords& words);

} // namespace numavp
