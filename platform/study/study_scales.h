/// At which scales a results file has points of a study.
#pragma once

#include <string>
#include <vector>

#include "platform/study/study_store.h"

namespace numavp {

/// The scales, as StudyPlanner takes them ("own", "small", a number), at which points of `study` have run: done or
/// failed, of this version. A scale whose points another one has too, and more, does not count.
std::vector<std::string> scales_in(const Study& study, const StudyStore& store);

/// `asked` if it is given; else the only scale that the file has, or "own" if nothing has run. ConfigError if there are
/// several.
std::string scale_to_show(const Study& study, const StudyStore& store, const std::string& asked);

} // namespace numavp
