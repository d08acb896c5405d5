/// Output of `rocm-smi --showtopo`: weights, hops and kinds of the ways between AMD's GPUs, and their NUMA nodes; that
/// of
/// `--shownodesbw` with it, bandwidths of xGMI.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace numavp {

struct RocmTable {
    enum class Way : unsigned char { self, pcie, xgmi, unknown };
    struct Cell {
        Way way = Way::unknown;
        std::optional<unsigned> weight, hops;
        std::optional<double> least, most; ///< MB/s one way; 0: no direct link
    };
    struct Row {
        unsigned number = 0; ///< "GPU3" is 3
        std::size_t line = 0;
        std::vector<Cell> cells;      ///< one for each row
        std::optional<unsigned> node; ///< NUMA node
    };
    std::vector<Row> rows;
    std::string file;

    /// Whether xGMI joins two GPUs without another one between them: by bandwidth, else those of the least weight.
    bool is_direct(std::size_t a, std::size_t b) const;
};

bool looks_like_rocm(const std::string& text);
/// Parses `text`, the content of `file`. ConfigError with file and line.
RocmTable read_rocm(const std::string& text, const std::string& file);

} // namespace numavp
