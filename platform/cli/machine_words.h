/// Options that commands about a machine of CPUs and GPUs share: which one, its constants, its settings.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

/// A machine as the command line names it.
struct MachineWords {
    std::string machine, calibration; ///< empty: not given
    std::vector<std::string> set;
};

/// Adds SYSTEM, `--calibration` and `--set`; keeps `words` by address.
void add_machine(CLI::App& command, MachineWords& words);

} // namespace numavp
