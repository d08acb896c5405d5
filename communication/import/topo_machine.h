/// Uses a matrix of `nvidia-smi topo -m`: adds its parts and links to a machine, or checks it against one.
#pragma once

#include <cstddef>
#include <optional>

#include "communication/import/found_machine.h"
#include "communication/import/topo_matrix.h"

namespace numavp {

/// Packages by the affinities in the matrix, or else by the words that separate its GPUs; without GPUs yet.
FoundMachine packages_of_topo(const TopoMatrix& matrix);
/// Adds GPUs, adapters and PCIe trees to a machine that has only packages; `own`: those of packages_of_topo().
void add_topo_devices(FoundMachine& machine, const TopoMatrix& matrix, bool own);
/// Adds NVLinks to a machine without known NVLinks, whose GPUs must be those of the matrix, in the same order.
void add_topo_nvlinks(FoundMachine& machine, const TopoMatrix& matrix);
/// The package that the row's affinity names; none if the machine has no such package.
std::optional<std::size_t> package_by_affinity(const FoundMachine& machine, const TopoMatrix::Row& row);
/// ConfigError, naming both sources, if the matrix contradicts the machine.
void compare_topo(const FoundMachine& machine, const TopoMatrix& matrix);

} // namespace numavp
