/// Latency of a GPU's loads by footprint: one lane of one warp follows a chain through an array, simulated.
///
/// Each load needs the result of the one before it. The chain visits every line of the array once a lap, in a random
/// order that each lap repeats, as the pointer chase of gpu-benches does. A first lap fills the caches, a second one is
/// timed, in the same kernel, so that no boundary flushes between them. The times are those at which the loads issue.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/system/system_config.h"

namespace numavp {

struct LatencyPoint {
    std::uint64_t bytes = 0; ///< footprint
    double cycles = 0;       ///< of clock_khz, of a load in the mean
    double ns = 0;
};

/// Footprints that show every cache of a machine: 16 KiB to one and a half times all its caches, two to an octave.
std::vector<std::uint64_t> footprints_of(const SystemConfig& config);

/// Simulates the system with a chase through each footprint, one after the other, and returns a point for each.
/// Elaborates: once a process.
std::vector<LatencyPoint> latency_curve(const SystemConfig& config, const std::vector<std::uint64_t>& footprints);

} // namespace numavp
