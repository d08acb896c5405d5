/// A workload in the form in which it was run, as results record it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace numavp {

struct Workload;

/// The workload in the form in which it was run.
struct WorkloadRecord {
    std::string name;
    std::string description;
    std::optional<std::uint64_t> seed; ///< a trace has none
    double scale = 1.0;
    std::uint64_t footprint_bytes = 0; ///< declared; 0 for traces
    std::uint64_t launches = 0;        ///< of those that are run
    std::uint64_t blocks = 0;
    std::string kernels{}; ///< numbers of the launches that are run, "A..B"; empty: all
};
/// `seed` and `scale` must be those with which the workload was loaded.
WorkloadRecord record_of(const Workload& workload, std::optional<std::uint64_t> seed, double scale);

} // namespace numavp
