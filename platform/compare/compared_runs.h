/// Where compared runs come from: folders of results, or the results file of a study.
#pragma once

#include <string>
#include <vector>

#include "platform/compare/comparison.h"

namespace numavp {

/// The results of a folder that `numavp run` wrote, or of its results.json. ConfigError if there are none, or they are
/// not whole.
ComparedRun run_in_folder(const std::string& path);

/// Which points of a study: the study's file, and what chooses among its results.
struct StudyChoice {
    std::string file, db, scale, figure, workload; ///< all but the file may be empty: the only one that there is
};

/// The runs of one workload on `configurations`, in their order. ConfigError with what exists if one is not there or
/// has not run.
std::vector<ComparedRun> runs_of_study(const StudyChoice& choice, const std::vector<std::string>& configurations);

} // namespace numavp
