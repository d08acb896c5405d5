/// The report of a network under load: latency and throughput over rate, its drawing with the use of each channel, and
/// tables.
#pragma once

#include <string>
#include <vector>

#include "platform/network/load_curve.h"
#include "platform/report/report_page.h"

namespace numavp {

/// Networks with more routers are shown in tables only, since their drawing would be unreadable.
inline constexpr std::size_t kMostDrawnRouters = 512;

/// Settings and results of a measurement.
struct NetworkRun {
    NetworkSystem system;
    LoadSpec load;
    unsigned packet_bytes = 144;
    std::string traffic;
    double saturation = 0; ///< 0: not looked for
    std::vector<LoadPoint> points;
};

/// The point whose use of channels is shown: the highest rate that is not saturated, or else the lowest rate.
std::size_t shown_point(const std::vector<LoadPoint>& points);

/// `run.points`, at least one, must have been measured with LoadSpec::channel_use.
ReportPage network_report(const NetworkRun& run, const LoadTest& test);

} // namespace numavp
