/// `numavp what-if`: lists changes of a machine or an application by the predicted time of the application.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "platform/cli/machine_words.h"

namespace numavp {

struct WhatIfWords : MachineWords {
    std::string graph, report, lanes, machines; ///< empty: not given
    std::vector<std::string> changes;
    bool json = false, widen = false;
};

void add_what_if(CLI::App& app, WhatIfWords& words);

/// Predicts each change and returns the text to print.
std::string what_if_command(const WhatIfWords& words);

} // namespace numavp
