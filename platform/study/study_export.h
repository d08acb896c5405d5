/// A study's results as files for other tools.
#pragma once

#include <string>

#include "platform/study/study_rows.h"

namespace numavp {

/// Writes points.csv, runs.csv, parameters.csv, metrics.csv, series.csv (of the plan's points, in the order of their
/// keys), rows.csv and a copy of the whole results file into a folder; returns a sentence. The CSV files of equal
/// results are equal byte by byte, but for host and wall_s in runs.csv.
std::string export_study(const StudyPlan& plan, const StudyStore& store, const std::string& folder);

} // namespace numavp
