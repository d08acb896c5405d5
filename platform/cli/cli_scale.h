/// `numavp run --scale auto`.
#pragma once

#include <string>

namespace numavp {

struct RunWords;

/// The scale that the search finds (platform/study/scale_search.h), as it would be typed; says on standard error what
/// it found. Returns words.scale if that is not "auto"; ConfigError if --over or --within stand without it.
std::string scale_of_run(const RunWords& words);

} // namespace numavp
