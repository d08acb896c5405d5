/// Packages and NUMA nodes that a matrix of `nvidia-smi topo -m` tells.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "communication/import/topo_matrix.h"

namespace numavp {

using RowGroups = std::vector<std::size_t>; ///< of each row, the first row of its group

/// Rows that a chain of words up to `farthest` joins. NV# tells nothing of PCIe.
RowGroups rows_within(const TopoMatrix& matrix, TopoWord farthest);
/// Two rows that reach each other only across packages.
bool are_apart(const TopoMatrix& matrix, std::size_t a, std::size_t b);

/// Of each GPU row the number of its NUMA node; of adapters that of GPUs near them, or none.
struct TopoPackages {
    std::vector<std::optional<std::size_t>> of_row;
    std::vector<std::size_t> first_row; ///< of each node
    std::vector<std::size_t> package;   ///< of each node: its number, or that of a package of several
    bool by_affinity = false, halves = false;
};
/// By affinities; by the words that part GPUs where affinities do not.
TopoPackages packages_in(const TopoMatrix& matrix);

/// Model of a POWER CPU that the numbers of CPUs and NUMA nodes show; null if they show none.
const char* power_model(const TopoMatrix& matrix);

} // namespace numavp
