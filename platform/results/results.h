/// The results of a run as JSON: they depend on the input only, not on the machine or the moment of the run.
///
/// docs/use/RESULTS.md describes the file, results_schema() is its JSON Schema.
#pragma once

#include <cstdint>

#include "base/config/config_file.h"
#include "common/inputs/workload_record.h"
#include "platform/machine/system.h"

namespace numavp {

/// Content of results.json; to be called after the run.
ordered_json results_json(const System& system, const WorkloadRecord& workload);

/// Simulated time in ns of `cycles` edges of the system's clock.
double time_ns(std::uint64_t cycles, std::uint64_t clock_khz);

} // namespace numavp
