/// The scales at which a results file has points of a study.
#pragma once

#include <string>
#include <vector>

#include "platform/study/study_store.h"

namespace numavp {

/// The scales, as StudyPlanner takes them ("own", "small", a number), at which points of `study` have run (done or
/// failed) with this version. A scale is left out if all its points also belong to another scale in the list, or
/// to figures beside these at their own scales.
std::vector<std::string> scales_in(const Study& study, const StudyStore& store);

/// Returns `asked` if it is not empty, else the only scale in the file, or "own" if no point has run. ConfigError if
/// there are several.
std::string scale_to_show(const Study& study, const StudyStore& store, const std::string& asked);

/// As scale_to_show; of several scales the study's own. `others` are the scales that the file has besides.
std::string scale_of_status(const Study& study, const StudyStore& store, const std::string& asked,
                            std::vector<std::string>& others);

} // namespace numavp
