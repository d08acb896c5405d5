/// Whether what was measured agrees with what the paper says.
#pragma once

#include <optional>
#include <string>

#include "platform/study/study_file.h"

namespace numavp {

/// "agrees", "differs", "open" while nothing is measured, or "" for what is not judged: an input.
///
/// A number agrees if it is within a tenth of the paper's. If it is a ratio, its gain (what it is beyond 1) must also
/// be within a quarter of the paper's gain: 1.04 is near 1.14, but less than a third of the gain. A bound agrees if it
/// is kept.
std::string verdict_of(const StudyPaper& paper, bool ratio, const std::optional<double>& measured);

/// "claim" for what the paper says by itself; "derived", "again" or "input" for what is not counted among its claims.
std::string kind_of(const StudyPaper& paper);

} // namespace numavp
