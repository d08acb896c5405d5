/// The run as a timeline in the Chrome trace-event format, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
///
/// One process for the system and one for each socket. Kernels and flushes are spans (side by side where streams
/// overlap), turned lanes and moved ways are instants, the time series are counters. Times are in microseconds of
/// simulated time.
#pragma once

#include <vector>

#include "models/base/config_file.h"
#include "platform/system.h"

namespace numavp {

/// `series` as SeriesRecorder::json() gives it; its columns "socket<n>.<what>" become counters of that socket.
ordered_json timeline_json(const std::vector<TimelineEvent>& events, const ordered_json& series, unsigned sockets,
                           std::uint64_t clock_khz);

} // namespace numavp
