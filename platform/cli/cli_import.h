/// `numavp import`: a machine file from what hwloc, nvidia-smi and numactl say of a machine.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

struct ImportWords {
    std::vector<std::string> files;
    std::string out, name, gpu, cpu; ///< empty: not given
    bool here = false, graph = false, paths = false, json = false, quiet = false;
};

void add_import(CLI::App& app, ImportWords& words);

/// Reads the files, says on stderr what had to be assumed, and returns what is to be printed.
std::string import_command(const ImportWords& words);

} // namespace numavp
