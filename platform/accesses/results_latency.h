/// Latencies of accesses by class: the section `access_latency` of results.json.
#pragma once

#include "base/config/config_file.h"
#include "platform/machine/system.h"

namespace numavp {

/// Latencies of loads, stores and atomics over all sockets, by the home of their lines: number, mean, percentiles and
/// the histogram in buckets of a quarter of a power of two.
ordered_json access_latency_json(const System& system);
/// JSON Schema of this section.
ordered_json access_latency_schema();

} // namespace numavp
