/// Matrices of an hwloc XML file: distances of NUMA nodes, bandwidths of NVLinks.
#pragma once

#include <cstddef>
#include <vector>

#include "communication/import/hwloc_objects.h"

namespace numavp {

struct NumaDistances {
    std::vector<unsigned> ids;    ///< of NUMA nodes
    std::vector<unsigned> values; ///< row by row
};
/// Distance matrices of files of all versions. ConfigError if a matrix is incomplete.
std::vector<NumaDistances> numa_distances(const XmlElement& root, const HwlocObjects& objects);

struct NvlinkTable {
    std::vector<std::size_t> objects;
    std::vector<double> megabytes_per_s; ///< row by row, one way; 0: no direct link; the diagonal means nothing
};
std::vector<NvlinkTable> nvlink_tables(const XmlElement& root, const HwlocObjects& objects);

} // namespace numavp
