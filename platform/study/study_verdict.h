/// Decides whether a measured value agrees with the paper's.
#pragma once

#include <optional>
#include <string>

#include "platform/study/study_file.h"

namespace numavp {

/// Returns "agrees", "differs", "open" without a measured value, or "" for an input of the paper, which is not judged.
///
/// A number agrees if it is within a tenth of the paper's. If it is a ratio, its gain (the part above 1) must also be
/// within a quarter of the paper's gain: 1.04 is near 1.14, but its gain is less than a third.
/// A bound agrees if it is kept.
std::string verdict_of(const StudyPaper& paper, bool ratio, const std::optional<double>& measured);

/// "claim" for a claim of the paper; "derived", "again" or "input" for numbers that do not count as its claims.
std::string kind_of(const StudyPaper& paper);

} // namespace numavp
