/// Figures of the application behind a run, which may have done a part of its kernels: each kernel that did one part in
/// N of its work counts N times, with its time, its bytes and its energy.
///
/// Not known: how a row of `kernels` in which several launches ran divides among them. It counts as often as these
/// launches do in the mean.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

class System;
struct Workload;

/// Values of a run by name, such as {"application_ns", 5e6}.
using DerivedValues = std::vector<std::pair<std::string, double>>;

/// `results` is the run's results.json. Names: application_ns, time_weighted_blocks; application_link_bytes and
/// application_link_energy_pj where there are links; application.socketN.link.in_saturated and out_saturated, shares of
/// the application's time in intervals that carried 99 % or more of what the lanes could.
DerivedValues application_figures(const Workload& workload, const System& system, const ordered_json& results);

/// The shares of the run's intervals, without weights: socketN.link.in_saturated and out_saturated.
DerivedValues saturated_intervals(const ordered_json& results);

/// Columns of a time series that give saturated intervals: "socket0.link.in" of "socket0.link.in_lane_cycles".
std::vector<std::string> link_directions(const ordered_json& series);

} // namespace numavp
