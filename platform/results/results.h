/// The results of a run as JSON: they depend on the input only, not on the machine or the moment of the run.
///
/// docs/RESULTS.md describes the file, results_schema() is its JSON Schema.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/base/config_file.h"
#include "platform/machine/system.h"

namespace numavp {

inline constexpr unsigned kResultsFormat = 1;

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

/// Content of results.json; to be called after the run.
ordered_json results_json(const System& system, const WorkloadRecord& workload);

/// Simulated time in ns of `cycles` edges of the system's clock.
double time_ns(std::uint64_t cycles, std::uint64_t clock_khz);

/// Text of a JSON value: indented, with lists of plain values on one line. Equal values give equal texts.
std::string json_text(const ordered_json& value);

} // namespace numavp
