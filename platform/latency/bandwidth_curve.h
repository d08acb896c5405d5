/// Bandwidth of a GPU's reads by footprint: all SMs read an array past their L1s, simulated.
///
/// Two blocks of 32 warps an SM. In each lap a warp reads other lines than in the lap before, and all together read
/// each line once. The time is that of some laps: a kernel of many laps less one of a single lap, after a first one
/// that fills the caches, so that launch and end do not count.
#pragma once

#include <cstdint>
#include <vector>

#include "common/system/system_config.h"

namespace numavp {

struct BandwidthPoint {
    std::uint64_t bytes = 0; ///< footprint
    double gbytes_per_s = 0;
};

/// Simulates the system with reads of each footprint, one after the other. Elaborates: once a process.
std::vector<BandwidthPoint> bandwidth_curve(const SystemConfig& config, const std::vector<std::uint64_t>& footprints);

} // namespace numavp
