/// The RTL block rtl/lane_balancer.sv as a lane balancer: one clock edge per call.
#pragma once

#include "rtl/blocks.h"
#include "tlm-links/lanes/lane_balancer.h"

namespace numavp {

class RtlLaneBalancer final : public LaneBalancer {
  public:
    explicit RtlLaneBalancer(const LaneBalancerParams& params);
    LaneSplit launch(LaneSplit wired) override;
    LaneDecision sample(const LaneSample& sample) override;
    void watch(Waves& waves, const std::string& scope, const WaveClock& clock) override {
        block_.watch(waves, scope, clock);
    }

  private:
    LaneBalancerParams params_;
    rtl::LaneBalancerBlock block_;
};

} // namespace numavp
