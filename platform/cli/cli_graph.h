/// `numavp graph`: an application graph from what a profiler recorded.
#pragma once

#include <string>

#include <CLI/App.hpp>

namespace numavp {

struct GraphWords {
    std::string file, out, name; ///< empty: not given
    bool quiet = false;
};

void add_graph(CLI::App& app, GraphWords& words);

/// Reads the recording and returns the graph's file, or nothing if it was written.
std::string graph_command(const GraphWords& words);

} // namespace numavp
