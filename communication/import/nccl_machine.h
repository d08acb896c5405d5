/// Uses NCCL's topology: adds its parts and links to a machine, or checks it against one.
#pragma once

#include "communication/import/found_machine.h"
#include "communication/import/nccl_topology.h"

namespace numavp {

/// Packages and NUMA nodes; without PCIe yet.
FoundMachine packages_of_nccl(const NcclTopology& topology);
/// Adds PCIe trees with GPUs, switches and adapters to a machine that has only packages.
void add_nccl_devices(FoundMachine& machine, const NcclTopology& topology);
/// Adds what the machine does not have yet: models of GPUs, NVLinks, xGMI links, NVLink-C2C. The machine has the GPUs
/// of the topology; `compare_nccl` or `add_nccl_devices` came before.
void add_nccl_links(FoundMachine& machine, const NcclTopology& topology);
/// ConfigError, naming both sources, if the topology contradicts the machine. It may have some of the machine's GPUs.
void compare_nccl(const FoundMachine& machine, const NcclTopology& topology);

} // namespace numavp
