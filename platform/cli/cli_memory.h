/// `numavp memory`.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

/// Numbers are kept as they were typed and read strictly by the command.
struct MemoryWords {
    std::string device, stream;
    std::vector<std::string> set;
    std::string window_reads, window_writes, requests, write; ///< empty: not given
    bool json = false;
};

void add_memory(CLI::App& app, MemoryWords& words);

/// Replays a stream on a memory device and returns what was measured, to be printed.
std::string memory_command(const MemoryWords& words);

} // namespace numavp
