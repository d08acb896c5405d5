/// Latencies of accesses by class: the section `access_latency` of results.json.
#pragma once

#include "models/base/config_file.h"
#include "platform/machine/system.h"

namespace numavp {

/// For loads, stores and atomics, by where the home of their lines is, over all sockets: number, mean, percentiles and
/// the histogram in buckets of a quarter of a power of two.
ordered_json access_latency_json(const System& system);
/// Its part of the schema of results.
ordered_json access_latency_schema();

} // namespace numavp
