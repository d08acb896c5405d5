/// Logical paths, from a NUMA node or CUDA device to another, mapped to the links of the machine.
#pragma once

#include <string>
#include <vector>

#include "platform/import/found_machine.h"

namespace numavp {

struct LogicalPlace {
    std::string name; ///< "numa0", "cuda3"; "gpu3" where no file knows its CUDA number
    std::size_t part = 0;
};
/// NUMA nodes with memory of their own, then GPUs.
std::vector<LogicalPlace> logical_places(const FoundMachine& machine);

struct FoundPath {
    LogicalPlace from, to;
    std::vector<std::size_t> links; ///< in order; empty if there is no way, or both are the same part
    std::vector<std::size_t> parts; ///< one more than links
    double gbytes_per_s = 0;        ///< of the narrowest link whose bandwidth is known; 0: none is
    bool whole = true;              ///< all bandwidths are known but those inside packages
};
/// Of each two logical places the way with the fewest links; of several, by NVLink first. No way leads through a GPU:
/// GPUs do not pass on what is for others.
std::vector<FoundPath> found_paths(const FoundMachine& machine);
/// "numa0 - pkg0 =nv x2= gpu0" a line, with the narrowest link.
std::string paths_text(const FoundMachine& machine);

} // namespace numavp
