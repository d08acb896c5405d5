/// The results of a run as JSON: all that follows from the input, and nothing of the machine that ran it.
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

/// The workload as it was run.
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
/// `seed` and `scale` are those that the workload was loaded with.
WorkloadRecord record_of(const Workload& workload, std::optional<std::uint64_t> seed, double scale);

/// Content of results.json, after the run.
ordered_json results_json(const System& system, const WorkloadRecord& workload);

/// Simulated time of `cycles` edges of the system's clock.
double time_ns(std::uint64_t cycles, std::uint64_t clock_khz);

/// The text of a JSON value: indented, but a list of plain values on one line. The same value is always the same text.
std::string json_text(const ordered_json& value);

} // namespace numavp
