/// Measured kernels beside runs of the same work: a row a kernel, and how far they are apart.
///
/// Plain functions; who runs the kernels is told by a callback. docs/use/RESULTS.md ("Correlate with a machine") has
/// the form of the file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

/// A kernel as it was measured.
struct MeasuredKernel {
    std::string name;
    std::string workload;               ///< the file or name of its work; empty: kernelslist.g in a folder of its name
    double time = 0.0;                  ///< cycles, or microseconds
    std::optional<double> instructions; ///< warp instructions
    std::optional<double> bytes;        ///< read from memory
};
struct Measurements {
    std::string path;
    bool in_us = false; ///< times are microseconds, not cycles
    std::vector<MeasuredKernel> kernels;

    const MeasuredKernel* find(const std::string& name) const;
};
/// {"kernels": {NAME: {"cycles" or "us", "workload", "instructions", "memory_sectors_read"}}}; other members are left
/// alone. ConfigError if there are no kernels, or times of both kinds.
Measurements read_measurements(const std::string& path);

struct CorrelatedKernel {
    std::string name;
    double measured = 0.0, simulated = 0.0; ///< without the launch, in the unit of the measurements
    std::optional<double> measured_instructions, simulated_instructions;
    std::optional<double> measured_bytes, simulated_bytes; ///< read from memory
    double ratio() const { return simulated / measured; }
};
struct Correlation {
    std::string measurements, system;
    std::string launch; ///< the kernel whose time was taken from all; empty: none
    bool in_us = false;
    std::vector<CorrelatedKernel> kernels;

    std::size_t within(double share) const;    ///< kernels whose ratio is so near to 1
    double mean_error() const;                 ///< of |ratio - 1|
    double geometric_mean() const;             ///< of the ratios
    std::optional<double> correlation() const; ///< Pearson's, of the logarithms; none of fewer than 3 kernels
};

/// Rows of the chosen kernels, or of all. `results` is called once for each, and once for `launch`, and returns the
/// results.json of its run. ConfigError for a name that was not measured, and if a time is not longer than the
/// launch's.
Correlation correlate(const Measurements& measurements, const std::vector<std::string>& chosen,
                      const std::string& launch, const std::function<ordered_json(const MeasuredKernel&)>& results);

std::string correlation_text(const Correlation& correlation);
ordered_json correlation_json(const Correlation& correlation);
std::string correlation_csv(const Correlation& correlation);

} // namespace numavp
