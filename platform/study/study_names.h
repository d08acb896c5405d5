/// Names of the numbers in a run's results, so that a misspelt metric is refused before any point runs.
#pragma once

#include <set>
#include <string>

#include "common/system/system_config.h"
#include "platform/study/study_points.h"

namespace numavp {

/// Names of the metrics of a run of `system`, as results files have them. Builds the system without running it, which
/// is possible once per process.
std::set<std::string> names_of_metrics(const SystemConfig& system);

/// ConfigError with file, JSON path and the nearest names if a metric's path fits no number of any system of its
/// figure. Systems are built in child processes, and only for paths that not every run has. If a system can't be built,
/// paths are not checked against it.
void check_metric_paths(const StudyPlanner& planner);

} // namespace numavp
