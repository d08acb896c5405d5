/// Names and parameters of the lane balancers, and the split of lanes. The balancers' code is declared in
/// lane_balancer.h, which few sources include, so that a change there recompiles few.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

/// Lanes each way, seen from the socket: out is egress, in is ingress.
struct LaneSplit {
    unsigned out = 0;
    unsigned in = 0;
    constexpr bool operator==(LaneSplit o) const { return out == o.out && in == o.in; }
};

enum class LaneBalancerKind : std::uint8_t { fixed, dynamic, dynamic_rtl };

inline constexpr NameTable<LaneBalancerKind> kLaneBalancers{
    "lane balancer",
    {{LaneBalancerKind::fixed, "static", "Lanes stay as they are wired, symmetric unless configured otherwise."},
     {LaneBalancerKind::dynamic, "dynamic", "A lane turns to the saturated direction each sample (section 4)."},
     {LaneBalancerKind::dynamic_rtl, "dynamic_rtl",
      "Lanes turn as in dynamic, decided by the RTL block (rtl/lane_balancer.sv)."}}};

/// Parameters of the balancers, as settings of a link; a new one is a field here and a line in describe().
struct LaneBalancerParams {
    /// A direction is saturated if and only if busy * 100 >= saturation_percent * available, and available > 0.
    unsigned saturation_percent = 99;
};

template <class V> void describe(V& v, LaneBalancerParams& c) {
    v.integer("saturation_percent", c.saturation_percent, 1, 100, "%", "Use that counts as saturated (section 4: 99).");
}

} // namespace numavp
