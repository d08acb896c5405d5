/// The workloads that a study names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/study/study_file.h"

namespace numavp {

struct StudyWorkload {
    std::string name; ///< the file's, without folder and extension
    std::string path;
    std::string text;       ///< canonical: for the key
    json value;             ///< resolved; null for a trace
    std::uint64_t seed = 0; ///< as written; none for a trace
    bool trace = false;
};

/// Workloads in the order of the file, each once. Names and folders are searched beside the study and in the folders of
/// workloads (also in the folders inside them). ConfigError with the existing names.
std::vector<StudyWorkload> study_workloads(const StudyFigure& figure);

} // namespace numavp
