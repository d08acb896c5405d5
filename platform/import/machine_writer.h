/// A system's file of numavp from a machine that was found.
#pragma once

#include <string>

#include "models/base/config_file.h"
#include "platform/import/found_machine.h"

namespace numavp {

struct MachineText {
    ordered_json system; ///< with "extends"
    ImportNotes notes;   ///< what had to be assumed beyond the machine's own notes
};

/// GPUs become sockets `gpu`, NUMA nodes with CPUs sockets `cpu` without SMs, others `memory`; packages of several NUMA
/// nodes, PCIe switches and NVSwitches become routers. A machine without GPUs gets an SM for each core, since something
/// must access memory. ConfigError if there is no such system; what is returned loads.
MachineText make_machine_file(const FoundMachine& machine, const std::string& name);

/// The file's text: a member a line, wires and links a line each.
std::string machine_text(const ordered_json& system);

} // namespace numavp
