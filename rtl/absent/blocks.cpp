// A build without Verilator: the blocks say so.
#include "rtl/blocks.h"

#include "rtl/absent/refuse.h"

namespace numavp::rtl {

std::string_view missing() {
    return "this build has none: install verilator (version 5), configure afresh and build again";
}

struct LaneBalancerBlock::Model {};
LaneBalancerBlock::LaneBalancerBlock() { refuse("lane_balancer.sv"); }
LaneBalancerBlock::~LaneBalancerBlock() = default;
LaneBalancerBlock::Outputs LaneBalancerBlock::edge(const Inputs&) { return {}; }
void LaneBalancerBlock::watch(Waves&, const std::string&, const WaveClock&) {}

struct WayPartitionBlock::Model {};
WayPartitionBlock::WayPartitionBlock(const std::array<unsigned, kCaches>&, unsigned) { refuse("way_partition.sv"); }
WayPartitionBlock::WayPartitionBlock(WayPartitionBlock&&) noexcept = default;
WayPartitionBlock::~WayPartitionBlock() = default;
WayPartitionBlock::Outputs WayPartitionBlock::edge(const Inputs&) { return {}; }
void WayPartitionBlock::watch(Waves&, const std::string&, const WaveClock&) {}

struct ReplicationModelBlock::Model {};
ReplicationModelBlock::ReplicationModelBlock() { refuse("replication_model.sv"); }
ReplicationModelBlock::~ReplicationModelBlock() = default;
ReplicationModelBlock::Outputs ReplicationModelBlock::edge(const Inputs&) { return {}; }
void ReplicationModelBlock::watch(Waves&, const std::string&, const WaveClock&) {}

struct Axi4RamBlock::Model {
    AxiSubordinatePins pins;
};
Axi4RamBlock::Axi4RamBlock(unsigned) { refuse("axi4_ram.sv"); }
Axi4RamBlock::~Axi4RamBlock() = default;
void Axi4RamBlock::edge() {}
void Axi4RamBlock::settle(const AxiManagerPins&) {}
const AxiSubordinatePins& Axi4RamBlock::pins() const { return model_->pins; }
unsigned Axi4RamBlock::debug(std::uint64_t, unsigned char*, unsigned, bool) { return 0; }
void Axi4RamBlock::watch(Waves&, const std::string&, const WaveClock&) {}

} // namespace numavp::rtl
