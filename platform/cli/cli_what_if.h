/// `numavp what-if`: changes of a machine or an application, by the time that each would take.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

struct WhatIfWords {
    std::string graph, machine, calibration; ///< empty: not given
    std::vector<std::string> set, changes;
    bool json = false;
};

void add_what_if(CLI::App& app, WhatIfWords& words);

/// Predicts each change and returns what is to be printed.
std::string what_if_command(const WhatIfWords& words);

} // namespace numavp
