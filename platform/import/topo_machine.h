/// What a matrix of `nvidia-smi topo -m` adds to a machine, or that it contradicts it.
#pragma once

#include <cstddef>
#include <optional>

#include "platform/import/found_machine.h"
#include "platform/import/topo_matrix.h"

namespace numavp {

/// Packages as the matrix' affinities have them, or else as its words part the GPUs; no GPUs yet.
FoundMachine packages_of_topo(const TopoMatrix& matrix);
/// GPUs, adapters and their PCIe trees, for a machine that has packages alone: those of packages_of_topo() if `own`.
void add_topo_devices(FoundMachine& machine, const TopoMatrix& matrix, bool own);
/// NVLinks, for a machine whose GPUs are the matrix', in their order, and whose NVLinks are not known.
void add_topo_nvlinks(FoundMachine& machine, const TopoMatrix& matrix);
/// The package at which the row's affinity places it; none if it names nothing that the machine has.
std::optional<std::size_t> package_by_affinity(const FoundMachine& machine, const TopoMatrix::Row& row);
/// ConfigError, naming both sources, if the matrix says something else than the machine.
void compare_topo(const FoundMachine& machine, const TopoMatrix& matrix);

} // namespace numavp
