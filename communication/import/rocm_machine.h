/// Uses tables of `rocm-smi --showtopo`: adds their parts and links to a machine, or checks them against one.
#pragma once

#include "communication/import/found_machine.h"
#include "communication/import/rocm_table.h"

namespace numavp {

/// NUMA nodes of the GPUs, with distances where PCIe's weights tell them, in packages; without GPUs yet.
FoundMachine packages_of_rocm(const RocmTable& table);
/// Adds GPUs to a machine that has only packages.
void add_rocm_devices(FoundMachine& machine, const RocmTable& table);
/// Adds xGMI links to a machine without known ones, whose GPUs are those of the table, in the same order.
void add_rocm_links(FoundMachine& machine, const RocmTable& table);
/// ConfigError, naming both sources, if the table contradicts the machine.
void compare_rocm(const FoundMachine& machine, const RocmTable& table);

} // namespace numavp
