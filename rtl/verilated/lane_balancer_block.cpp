#include <Vlane_balancer.h>

#include "rtl/blocks.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

std::string_view missing() { return {}; }

struct LaneBalancerBlock::Model : Clocked<Vlane_balancer> {};

LaneBalancerBlock::LaneBalancerBlock() : model_(std::make_unique<Model>()) { model_->reset(); }
LaneBalancerBlock::~LaneBalancerBlock() = default;

LaneBalancerBlock::Outputs LaneBalancerBlock::edge(const Inputs& in) {
    Vlane_balancer& pins = model_->pins;
    pins.saturation_percent = static_cast<CData>(in.saturation_percent);
    pins.launch = in.launch;
    pins.sample = in.sample;
    pins.busy_out = in.busy_out;
    pins.available_out = in.available_out;
    pins.busy_in = in.busy_in;
    pins.available_in = in.available_in;
    pins.lanes_out = static_cast<CData>(in.lanes_out);
    pins.lanes_in = static_cast<CData>(in.lanes_in);
    pins.turning = static_cast<CData>(in.turning);
    model_->edge();
    return {pins.launch_out, pins.launch_in, pins.decision};
}

void LaneBalancerBlock::watch(Waves& waves, const std::string& scope, const WaveClock& clock) {
    model_->watch(waves, scope, clock, WaveRadix::decimal);
}

} // namespace numavp::rtl
