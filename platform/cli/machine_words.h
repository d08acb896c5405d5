/// Options of all commands about a machine of CPUs and GPUs: its name, its constants, its settings.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

/// The machine that the options name.
struct MachineWords {
    std::string machine, calibration; ///< empty: not given
    std::vector<std::string> set;
};

/// Adds SYSTEM, `--calibration` and `--set` to a command; keeps a pointer to `words`.
void add_machine(CLI::App& command, MachineWords& words);

} // namespace numavp
