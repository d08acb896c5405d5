/// `numavp import`: makes a machine file from the output of hwloc, nvidia-smi and numactl.
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

/// Reads the files, writes the assumptions that it makes to stderr, and returns the text to print.
std::string import_command(const ImportWords& words);

} // namespace numavp
