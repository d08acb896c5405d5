/// `numavp graph`: an application graph from what a profiler recorded, or from a host program.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

struct GraphWords {
    std::vector<std::string> files;
    std::string out, svg, name; ///< empty: not given
    std::string times, gbytes_per_s, host_gbytes_per_s, tflops, scale;
    bool quiet = false;
};

void add_graph(CLI::App& app, GraphWords& words);

/// Reads the recording and returns the graph's file, or nothing if it was written.
std::string graph_command(const GraphWords& words);

} // namespace numavp
