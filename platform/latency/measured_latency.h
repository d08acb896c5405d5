/// Measured latencies by footprint as CSV: columns system, kib, cycles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace numavp {

struct MeasuredLatency {
    std::uint64_t bytes = 0;
    double cycles = 0;
};

/// Reads the points of a system, in the order of the file. ConfigError with the line of the first wrong row, or if the
/// file has none of the system.
std::vector<MeasuredLatency> read_measured_latency(const std::string& path, const std::string& system);

} // namespace numavp
