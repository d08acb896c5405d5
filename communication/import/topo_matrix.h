/// Output of `nvidia-smi topo -m`: words for the connection of each pair of GPUs and network adapters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "communication/import/id_set.h"

namespace numavp {

/// Kinds of connection, nearest first; for `nv` the connection over PCIe is not known.
enum class TopoWord : unsigned char { self, nv, pix, pxb, phb, node, sys };

struct TopoCell {
    TopoWord word = TopoWord::sys;
    unsigned lanes = 0; ///< of nv
};

struct TopoMatrix {
    struct Row {
        std::string label; ///< "GPU0", "mlx5_0", "NIC0"
        bool gpu = false;
        std::size_t line = 0;
        std::vector<TopoCell> cells; ///< one for each row
        std::optional<IdSet> cpus, nodes;
        bool single_ranges = false;       ///< drivers up to 39x write a CPU by itself as "8-8"
        std::optional<unsigned> own_node; ///< the GPU's memory as a NUMA node
    };
    std::vector<Row> rows;    ///< GPUs in their order first, then adapters
    bool numa_column = false; ///< of newer drivers: "NUMA Affinity"
    bool old_words = false;   ///< SOC instead of SYS: NODE is not known, and reads PHB or SOC
    std::string file;

    std::size_t gpus() const;
};

bool looks_like_topo(const std::string& text);
/// Parses `text`, the content of `file`. ConfigError with file and line.
TopoMatrix read_topo(const std::string& text, const std::string& file);
/// The word of a cell, such as "PIX" or "NV2".
std::string topo_text(const TopoMatrix& matrix, const TopoCell& cell);

} // namespace numavp
