/// Logical paths, from a NUMA node or CUDA device to another, mapped to the links of the machine.
#pragma once

#include <string>
#include <vector>

#include "communication/import/found_machine.h"

namespace numavp {

struct LogicalPlace {
    std::string name; ///< "numa0", "cuda3"; "gpu3" where no file knows its CUDA number
    std::size_t part = 0;
};
/// All NUMA nodes with memory, then all GPUs.
std::vector<LogicalPlace> logical_places(const FoundMachine& machine);

struct FoundPath {
    LogicalPlace from, to;
    std::vector<std::size_t> links; ///< in order; empty if there is no way, or both are the same part
    std::vector<std::size_t> parts; ///< one more than links
    double gbytes_per_s = 0;        ///< of the narrowest link whose bandwidth is known; 0: none is
    bool whole = true;              ///< all bandwidths are known but those inside packages
};
/// For each pair of logical places the path with the fewest links, and of several that with most NVLinks. No path leads
/// through a GPU, since GPUs do not forward traffic.
std::vector<FoundPath> found_paths(const FoundMachine& machine);
/// One line for each path, such as "numa0 - pkg0 =nv x2= gpu0", with the narrowest link.
std::string paths_text(const FoundMachine& machine);

} // namespace numavp
