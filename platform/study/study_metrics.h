/// Metrics of a figure's cells, computed from the results that exist.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/study/study_points.h"

namespace numavp {

/// The metric of a workload on a configuration with each of the figure's seeds; empty if a point that it needs is
/// missing, or has no such value.
std::vector<double> metric_values(const PlannedFigure& figure, const StudyPlan& plan, const StudyMetric& metric,
                                  const std::string& configuration, const std::string& workload,
                                  const PointResults& results);
/// Their mean; none if there are none.
std::optional<double> metric_value(const PlannedFigure& figure, const StudyPlan& plan, const StudyMetric& metric,
                                   const std::string& configuration, const std::string& workload,
                                   const PointResults& results);

/// The configuration that a metric is relative to; "" if there is none.
std::string baseline_of(const StudyFile& file, const StudyMetric& metric);

/// True if rows have the metric for this configuration: one that the metric names, or any but its baseline.
bool measures(const StudyFile& file, const StudyMetric& metric, const std::string& configuration);

/// The metric of that name; null if there is none.
const StudyMetric* find_metric(const StudyFile& file, const std::string& name);

/// True if a dotted name fits a dotted path in which * stands for any characters within a step.
bool path_fits(const std::string& path, const std::string& name);

/// Means of `values`; none if it is empty, or for the geometric and harmonic mean if a value is not positive.
std::optional<double> arithmetic_mean(const std::vector<double>& values);
std::optional<double> geometric_mean(const std::vector<double>& values);
std::optional<double> harmonic_mean(const std::vector<double>& values);

} // namespace numavp
