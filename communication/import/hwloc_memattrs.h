/// Memory attributes of an hwloc XML file: bandwidths of NUMA nodes.
#pragma once

#include <cstddef>
#include <map>

#include "communication/import/hwloc_objects.h"

namespace numavp {

/// GB/s of NUMANode objects, by their places in `objects.all`, as the CPUs that reach each fastest have it: the
/// attribute Bandwidth, else the mean of ReadBandwidth and WriteBandwidth, else the one of these. hwloc writes MiB/s.
/// ConfigError if a value is no number.
std::map<std::size_t, double> memory_bandwidths(const XmlElement& root, const HwlocObjects& objects);

} // namespace numavp
