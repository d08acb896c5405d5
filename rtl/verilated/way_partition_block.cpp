#include <Vway_partition.h>

#include "rtl/blocks.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

struct WayPartitionBlock::Model : Clocked<Vway_partition> {};

WayPartitionBlock::WayPartitionBlock(const std::array<unsigned, kCaches>& ways, unsigned saturation_percent)
    : model_(std::make_unique<Model>()) {
    model_->pins.saturation_percent = static_cast<CData>(saturation_percent);
    model_->pins.ways = static_cast<SData>(ways[0] | ways[1] << 8);
    model_->reset();
}
WayPartitionBlock::WayPartitionBlock(WayPartitionBlock&&) noexcept = default;
WayPartitionBlock::~WayPartitionBlock() = default;

WayPartitionBlock::Outputs WayPartitionBlock::edge(const Inputs& in) {
    Vway_partition& pins = model_->pins;
    pins.launch = in.launch;
    pins.sample = in.sample;
    pins.local_bytes = in.local_bytes;
    pins.local_capacity_bytes = in.local_capacity_bytes;
    pins.outgoing_reads = in.outgoing_reads;
    pins.response_bytes = static_cast<SData>(in.response_bytes);
    pins.ingress_capacity_bytes = in.ingress_capacity_bytes;
    model_->edge();
    const unsigned local = pins.local_ways;
    return {{local & 0xffU, local >> 8U}, pins.decision};
}

void WayPartitionBlock::watch(Waves& waves, const std::string& scope, const WaveClock& clock) {
    model_->watch(waves, scope, clock, WaveRadix::decimal);
}

} // namespace numavp::rtl
