/// Compares a machine's computed benchmark times with measured ones, point by point.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "communication/characterize/measured_file.h"

namespace numavp {

/// One point. The error is relative and of time: computed over measured, less 1.
struct ComparedPoint {
    std::uint64_t x = 0;
    double measured_ns = 0, stddev_ns = 0, ns = 0;
    double error() const { return ns / measured_ns - 1; }
    /// Whether the measurement itself scatters so much: two standard deviations, in which 95 % of normal values lie.
    bool scatters() const;
};

struct ComparedSeries {
    BenchmarkCase what;
    std::vector<ComparedPoint> points; ///< ascending
    /// Highest GB/s of copies, or ns per stride, over the points compared: measured and computed.
    double measured_level = 0, level = 0;

    /// The points of 64 KiB and more; of a latency benchmark all.
    std::vector<ComparedPoint> large() const;
    static double worst(const std::vector<ComparedPoint>& points);  ///< the error that is farthest from 0
    static double median(const std::vector<ComparedPoint>& points); ///< of the errors without their signs
    static std::size_t within(const std::vector<ComparedPoint>& points, double error);
    static std::size_t scattered(const std::vector<ComparedPoint>& points);
    double level_error() const { return level / measured_level - 1; }
};

struct MeasuredComparison {
    std::vector<ComparedSeries> series;
    std::size_t other_systems = 0; ///< rows that are not this machine's
    std::size_t unknown = 0;       ///< rows between parts that the machine does not have
};

/// Computes each point that was measured on the machine. ConfigError, at `path`, if there is none.
MeasuredComparison compare_measured(const HostMachine& machine, const std::vector<MeasuredRow>& rows,
                                    const std::string& path, const std::string& benchmark, std::uint64_t bytes_up_to);

} // namespace numavp
