/// Links of GPUs of a machine that was found, from the bandwidths between its parts.
#pragma once

#include <cstddef>
#include <vector>

#include "communication/import/found_machine.h"

namespace numavp {

/// Links side by side between two parts, of which one is a GPU.
struct GpuLinks {
    std::size_t a = 0, b = 0;   ///< parts
    double there = 0, back = 0; ///< GB/s of all from a to b, and from b to a; numbers of links where they are counted
};

/// Adds links of a type (nv, xgmi, xelink) by their bandwidth: the lesser of both ways counts, and a note says so where
/// they differ. The number of NVLinks follows from the GPU's model.
void add_gpu_links(FoundMachine& machine, LinkType type, GpuLinks links);

/// Adds NVLinks of which a matrix has only counts, each a multiple of the least: as many stand for one as let a GPU use
/// all its links. A note says so.
void add_counted_nvlinks(FoundMachine& machine, const std::vector<GpuLinks>& counts);

/// A note if two GPUs have no NVSwitch in common, such as those of a DGX-2's two boards, whose NVSwitches are joined by
/// links that hwloc does not list.
void note_switches_apart(FoundMachine& machine);

} // namespace numavp
