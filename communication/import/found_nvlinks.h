/// NVLinks of a machine that was found, from the bandwidths between its parts.
#pragma once

#include <cstddef>

#include "communication/import/found_machine.h"

namespace numavp {

/// Adds the NVLinks between two parts, of which one is a GPU, by their bandwidth in GB/s `there` and `back`: the lesser
/// counts, and a note says so where they differ. Their number follows from the GPU's model.
void add_nvlinks(FoundMachine& machine, std::size_t a, std::size_t b, double there, double back);

/// A note if two GPUs have no NVSwitch in common, such as those of a DGX-2's two boards, whose NVSwitches are joined by
/// links that hwloc does not list.
void note_switches_apart(FoundMachine& machine);

} // namespace numavp
