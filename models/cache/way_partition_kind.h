/// Which way-partition controllers there are. What they do is in way_partition.h, which few sources include, so that
/// an edit there compiles few.
#pragma once

#include <cstdint>

#include "models/base/name_table.h"

namespace numavp {

enum class WayPartitionKind : std::uint8_t { fixed, numa_aware, numa_aware_rtl };

inline constexpr NameTable<WayPartitionKind> kWayPartitions{
    "way partition",
    {{WayPartitionKind::fixed, "fixed", "A configured number of remote ways that never changes."},
     {WayPartitionKind::numa_aware, "numa_aware", "Ways move by saturation of link and memory (section 5.1)."},
     {WayPartitionKind::numa_aware_rtl, "numa_aware_rtl", "The same by the RTL block (rtl/way_partition.sv)."}}};

} // namespace numavp
