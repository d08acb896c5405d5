/// Output of `numactl -H`: NUMA nodes, their CPUs, memories and distances.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "communication/import/id_set.h"

namespace numavp {

struct NumaTable {
    struct Node {
        unsigned id = 0;
        IdSet cpus;
        std::uint64_t memory_bytes = 0;
        bool has_cpus = false, has_size = false; ///< its lines were there
    };
    std::vector<Node> nodes;
    std::vector<unsigned> distances; ///< row by row, 0 where numactl could not read it; empty if they were not there
    std::string file;
};

bool looks_like_numactl(const std::string& text);
/// Parses `text`, the content of `file`. ConfigError with file and line.
NumaTable read_numactl(const std::string& text, const std::string& file);

} // namespace numavp
