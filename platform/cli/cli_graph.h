/// `numavp graph`: makes an application graph from a profiler's recording or a host program.
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

/// Reads the recording and returns the graph as a file's text, or empty if it was written to a file.
std::string graph_command(const GraphWords& words);

} // namespace numavp
