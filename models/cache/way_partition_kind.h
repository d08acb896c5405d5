/// Names and parameters of the way-partition controllers. Their code is declared in way_partition.h, which few sources
/// include, so that a change there recompiles few.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/name_table.h"

namespace numavp {

enum class WayPartitionKind : std::uint8_t { fixed, numa_aware, numa_aware_rtl };

inline constexpr NameTable<WayPartitionKind> kWayPartitions{
    "way partition",
    {{WayPartitionKind::fixed, "fixed", "A configured number of remote ways that never changes."},
     {WayPartitionKind::numa_aware, "numa_aware", "Ways move by saturation of link and memory (section 5.1)."},
     {WayPartitionKind::numa_aware_rtl, "numa_aware_rtl",
      "Ways move as in numa_aware, decided by the RTL block (rtl/way_partition.sv)."}}};

/// One kind of cache that the controller drives.
struct PartitionedCache {
    unsigned ways = 2;              ///< at least 2
    unsigned fixed_remote_ways = 1; ///< of the `fixed` policy: 1 to ways - 1
};

/// Parameters of the controllers; a new one is a field here and a line in describe().
struct WayPartitionParams {
    /// Bandwidth is saturated if and only if used * 100 >= saturation_percent * capacity, and capacity > 0.
    unsigned saturation_percent = 99;
    std::vector<PartitionedCache> caches; ///< follow from the machine; in the order in which local_ways() is asked
};

/// A socket's way partition as data: one struct, one field list (base/config/config.h).
struct WayPartitionConfig {
    WayPartitionKind controller = WayPartitionKind::numa_aware;
    unsigned sample_cycles = 5000, decision_cycles = 1;
    WayPartitionParams params; ///< of the controller, under the same path
    bool l1 = true;
};

template <class V> void describe(V& v, WayPartitionParams& c) {
    v.integer("saturation_percent", c.saturation_percent, 1, 100, "%",
              "Utilisation that counts as saturated (section 5.1: 99).");
}
template <class V> void describe(V& v, WayPartitionConfig& c) {
    v.choice("controller", c.controller, kWayPartitions, "Policy that moves ways in the numa_aware organisation.");
    v.integer("sample_cycles", c.sample_cycles, 10, 10000000, "cycles", "Sample time (section 5.1: 5K cycles).");
    v.integer("decision_cycles", c.decision_cycles, 1, 10000, "cycles",
              "Time from a sample to the effect of its decision.");
    describe(v, c.params);
    v.boolean("l1", c.l1, "Whether the L1s are partitioned too (section 5.1).");
}

} // namespace numavp
