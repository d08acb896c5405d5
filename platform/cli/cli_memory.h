/// `numavp memory`.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

/// Words of `numavp memory`. Numbers are kept as they were typed and read strictly by the command.
struct MemoryWords {
    std::string device, stream;
    std::vector<std::string> set;
    std::string window_reads, window_writes, requests, write; ///< empty: not given
    bool json = false;
};

void add_memory(CLI::App& app, MemoryWords& words);

/// Replays a stream on a memory device and returns the results as text to print.
std::string memory_command(const MemoryWords& words);

} // namespace numavp
