#include "platform/study/study_verdict.h"

#include <cmath>

namespace numavp {
namespace {

constexpr double kNear = 0.1;      ///< of the number
constexpr double kNearGain = 0.25; ///< of the gain
constexpr double kRounding = 1e-9; ///< 1.1 - 1 is not quite 0.1

bool agrees(double paper, bool ratio, double measured) {
    const auto within = [&](double share, double of) {
        return std::abs(measured - paper) <= share * std::abs(of) + kRounding * std::abs(paper);
    };
    if (!within(kNear, paper)) return false;
    return !ratio || paper == 1.0 || within(kNearGain, paper - 1.0);
}

} // namespace

std::string verdict_of(const StudyPaper& paper, bool ratio, const std::optional<double>& measured) {
    if (paper.input) return "";
    if (!measured) return "open";
    const bool kept = paper.value.value ? agrees(*paper.value.value, ratio, *measured)
                                        : (!paper.above.value || *measured > *paper.above.value) &&
                                              (!paper.below.value || *measured < *paper.below.value);
    return kept ? "agrees" : "differs";
}

std::string kind_of(const StudyPaper& paper) {
    return paper.input ? "input" : paper.derived ? "derived" : paper.again ? "again" : "claim";
}

} // namespace numavp
