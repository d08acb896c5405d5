/// Reads the runs to be compared from folders of results, or from the results file of a study.
#pragma once

#include <string>
#include <vector>

#include "platform/compare/comparison.h"

namespace numavp {

/// Reads the results in a folder that `numavp run` wrote, or a results.json. ConfigError if there are none, or they are
/// incomplete.
ComparedRun run_in_folder(const std::string& path);

/// Selects points of a study: the study's file, and choices among its results.
struct StudyChoice {
    std::string file, db, scale, figure, workload; ///< all but the file may be empty: the only one that there is
};

/// The runs of one workload on `configurations`, in this order; of several seeds those with the first, which their
/// names say. ConfigError with the existing ones if one does not exist or has not run.
std::vector<ComparedRun> runs_of_study(const StudyChoice& choice, const std::vector<std::string>& configurations);

} // namespace numavp
