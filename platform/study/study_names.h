/// The names of the numbers that a run has, so that a misspelt metric is refused before anything runs.
#pragma once

#include <set>
#include <string>

#include "platform/machine/system_config.h"
#include "platform/study/study_points.h"

namespace numavp {

/// The names of the metrics of a run of `system`, as results files have them. The system is built and not run, which
/// works once in a process.
std::set<std::string> names_of_metrics(const SystemConfig& system);

/// ConfigError with file, JSON path and the nearest names if a metric's path finds nothing on any system of its figure.
/// Systems are built in processes of their own, and only for paths that not every run has; one that can't be built says
/// nothing about paths.
void check_metric_paths(const StudyPlanner& planner);

} // namespace numavp
