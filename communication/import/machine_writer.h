/// Makes a system's file of numavp from a machine that was found.
#pragma once

#include <string>

#include "base/config/config_file.h"
#include "communication/import/found_machine.h"

namespace numavp {

struct MachineText {
    ordered_json system; ///< with "extends"
    ImportNotes notes;   ///< assumptions besides those in the machine's notes
};

/// GPUs become sockets `gpu`, NUMA nodes with CPUs sockets `cpu` without SMs, other nodes `memory`; packages of several
/// NUMA nodes, PCIe switches and NVSwitches become routers. In a machine without GPUs each core becomes an SM, since a
/// system needs accesses to memory. ConfigError if no system can be made; a result can be loaded.
MachineText make_machine_file(const FoundMachine& machine, const std::string& name);

/// Small letters, digits and '-', 64 at most: a name for files. Empty if `text` has none of them.
std::string plain_name(const std::string& text);
/// Text of the file: one line for each member, wire and link.
std::string machine_text(const ordered_json& system);

} // namespace numavp
