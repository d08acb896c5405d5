/// The report of a network under load: latency and throughput over rate, its drawing with the use of each channel, and
/// tables.
#pragma once

#include <string>
#include <vector>

#include "platform/network/load_curve.h"
#include "platform/report/report_page.h"

namespace numavp {

/// Larger networks are told in tables alone: nobody could read the drawing.
inline constexpr std::size_t kMostDrawnRouters = 512;

/// What was measured, as asked for.
struct NetworkRun {
    NetworkSystem system;
    LoadSpec load;
    unsigned packet_bytes = 144;
    std::string traffic;
    double saturation = 0; ///< 0: not looked for
    std::vector<LoadPoint> points;
};

/// The point of which the use of channels is shown: of the highest rate that is not saturated, else of the lowest rate.
std::size_t shown_point(const std::vector<LoadPoint>& points);

/// `run.points` were measured with LoadSpec::channel_use; there is at least one.
ReportPage network_report(const NetworkRun& run, const LoadTest& test);

} // namespace numavp
