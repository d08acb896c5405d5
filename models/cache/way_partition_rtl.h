/// The RTL block rtl/way_partition.sv as a way-partition controller: one clock edge per call.
#pragma once

#include <cstddef>
#include <vector>

#include "models/cache/way_partition.h"
#include "rtl/blocks.h"

namespace numavp {

class RtlWayPartition final : public WayPartition {
  public:
    /// ModelError if a cache has fewer than 2 ways, or more than the block's pins can express.
    explicit RtlWayPartition(const WayPartitionParams& params);
    void launch() override;
    WayDecision sample(const PartitionSample& sample) override;
    unsigned local_ways(unsigned cache) const override { return local_[cache]; }
    void watch(Waves& waves, const std::string& scope, const WaveClock& clock) override;

  private:
    void read(std::size_t block, const rtl::WayPartitionBlock::Outputs& pins);

    /// A block has the pins for two kinds of caches; more kinds take more blocks with the same samples.
    std::vector<rtl::WayPartitionBlock> blocks_;
    std::vector<unsigned> local_;
};

} // namespace numavp
