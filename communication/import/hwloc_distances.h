/// Matrices of an hwloc XML file: distances of NUMA nodes, bandwidths of links between GPUs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "communication/import/found_machine.h"
#include "communication/import/hwloc_objects.h"

namespace numavp {

struct NumaDistances {
    std::vector<unsigned> ids;    ///< of NUMA nodes
    std::vector<unsigned> values; ///< row by row
};
/// Distance matrices of files of all versions. ConfigError if a matrix is incomplete.
std::vector<NumaDistances> numa_distances(const XmlElement& root, const HwlocObjects& objects);

/// Bandwidths of links of one kind between objects.
struct LinkTable {
    LinkType type = LinkType::nv;
    std::string name; ///< of the matrix, such as NVLinkBandwidth
    std::size_t line = 0;
    std::vector<std::size_t> objects;
    std::vector<double> megabytes_per_s; ///< row by row, one way; 0: no direct link; the diagonal means nothing
    /// The values count links, as `hwloc-annotate ... links` leaves them: each is a multiple of the least, which is 1.
    bool counts = false;
};
/// Matrices NVLinkBandwidth, XGMIBandwidth (without the pairs that XGMIHops has farther than others) and
/// XeLinkBandwidth. A note names other matrices, which are not read.
std::vector<LinkTable> link_tables(const XmlElement& root, const HwlocObjects& objects, ImportNotes& notes);

} // namespace numavp
