#include "tlm-links/lanes/lane_balancer.h"

#include "base/values/saturation.h"
#include "tlm-links/lanes/lane_balancer_rtl.h"

namespace numavp {

LaneSplit DynamicLaneBalancer::launch(LaneSplit wired) {
    const unsigned lanes = wired.out + wired.in;
    return {lanes - lanes / 2, lanes / 2};
}

LaneDecision DynamicLaneBalancer::sample(const LaneSample& s) {
    if (s.turning != 0) return LaneDecision::none;
    const bool out_full = saturated(s.busy_out, s.available_out, params_.saturation_percent);
    const bool in_full = saturated(s.busy_in, s.available_in, params_.saturation_percent);
    // Both saturated: the side with more lanes gives, down to symmetry. One saturated: the other gives, down to one.
    const unsigned keep_out = out_full ? s.lanes_in + 1 : 1;
    const unsigned keep_in = in_full ? s.lanes_out + 1 : 1;
    if (in_full && s.lanes_out > keep_out) return LaneDecision::turn_one_in;
    if (out_full && s.lanes_in > keep_in) return LaneDecision::turn_one_out;
    return LaneDecision::none;
}

std::unique_ptr<LaneBalancer> make_lane_balancer(LaneBalancerKind kind, const LaneBalancerParams& params) {
    switch (kind) {
    case LaneBalancerKind::dynamic: return std::make_unique<DynamicLaneBalancer>(params);
    case LaneBalancerKind::dynamic_rtl: return std::make_unique<RtlLaneBalancer>(params);
    case LaneBalancerKind::fixed: break;
    }
    return std::make_unique<StaticLaneBalancer>();
}

} // namespace numavp
