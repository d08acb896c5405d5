/// The run as a timeline in the Chrome trace-event format, which Perfetto (ui.perfetto.dev) opens.
///
/// One process for the system, one for each socket, one for the host. Kernels, flushes, waves of thread blocks, page
/// faults, their handling and copies are spans (side by side where they overlap), turned lanes and moved ways are
/// instants, the time series are counters. An arrow (flow events) leads from a fault to its handling. Names are the
/// same for all events of a kind, so that viewers can aggregate them; what differs is in `args`. Events are in the
/// order of their times, which are in microseconds of simulated time.
#pragma once

#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "platform/machine/system.h"

namespace numavp {

/// `sockets` are their names. `series` is that of SeriesRecorder::json(); its columns "socket<n>.<what>" and
/// "host.<what>" become counters. With `lane_gbps`, the traffic of a link's lanes is also shown as a share of their
/// bandwidth. With `results`, those of the run, spans of kernels have their figures as arguments. `slots`,
/// that of SlotSeries::json() or null, adds shares of the schedulers' slots by cause, issued instructions a cycle and
/// resident warps.
ordered_json timeline_json(const std::vector<TimelineEvent>& events, const ordered_json& series,
                           const std::vector<std::string>& sockets, std::uint64_t clock_khz, double lane_gbps = 0.0,
                           const ordered_json& results = {}, const ordered_json& slots = {});

} // namespace numavp
