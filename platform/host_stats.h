/// What the host counts, as statistics.
#pragma once

#include "models/base/series.h"
#include "models/base/stats.h"
#include "models/host/host.h"

namespace numavp {

inline constexpr const char* kFaultPartNames[kFaultParts] = {"arrival", "queue", "handling", "replay"};

/// Faults, the driver's work, the copy engine, the host's memory and link, under `group`.
void register_host(StatGroup& group, const Host& host);
/// Columns "host.<what>" of the time series.
void host_series(SeriesRecorder& series, const Host& host);

} // namespace numavp
