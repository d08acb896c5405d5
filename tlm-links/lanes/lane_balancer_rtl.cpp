#include "tlm-links/lanes/lane_balancer_rtl.h"

#include "base/values/error.h"

namespace numavp {

RtlLaneBalancer::RtlLaneBalancer(const LaneBalancerParams& params) : params_(params) {
    if (params.saturation_percent > 100) throw ModelError("a saturation above 100 % does not fit the balancer's pins");
}

LaneSplit RtlLaneBalancer::launch(LaneSplit wired) {
    rtl::LaneBalancerBlock::Inputs pins;
    pins.launch = true;
    pins.lanes_out = wired.out;
    pins.lanes_in = wired.in;
    const auto after = block_.edge(pins);
    return {after.launch_out, after.launch_in};
}

LaneDecision RtlLaneBalancer::sample(const LaneSample& s) {
    rtl::LaneBalancerBlock::Inputs pins;
    pins.saturation_percent = params_.saturation_percent;
    pins.sample = true;
    pins.busy_out = s.busy_out;
    pins.available_out = s.available_out;
    pins.busy_in = s.busy_in;
    pins.available_in = s.available_in;
    pins.lanes_out = s.lanes_out;
    pins.lanes_in = s.lanes_in;
    pins.turning = s.turning;
    switch (block_.edge(pins).decision) {
    case 0: return LaneDecision::none;
    case 1: return LaneDecision::turn_one_out;
    case 2: return LaneDecision::turn_one_in;
    default: throw ModelError("the RTL lane balancer decides what there is not");
    }
}

} // namespace numavp
