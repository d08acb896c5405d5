/// Finds the smallest scale of a workload at which a system's speed is what it is at larger ones.
///
/// The scales of a ladder are run from the smallest on, each in processes of its own. A scale is taken if the speed
/// there is within a bound of the speeds at the next two, or, below full size, at full size. Speed is the speedup over
/// a second system, or warp instructions a cycle without one.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/inputs/named_workload.h"
#include "common/system/system_config.h"
#include "platform/study/study_process.h"

namespace numavp {

inline constexpr std::array<double, 5> kScaleLadder = {0.0625, 0.125, 0.25, 0.5, 1.0};

struct ScaleStep {
    double scale = 0.0;
    double speed = 0.0; ///< speedup, or warp instructions a cycle
};
struct FoundScale {
    std::vector<ScaleStep> steps;  ///< those that were run, ascending
    std::optional<double> settled; ///< the scale that is taken; none: no smaller one than full size is within the bound
    double scale() const { return settled.value_or(kScaleLadder.back()); }
};

/// The scale to take after these steps; none while more are to be run or if none is within the bound. `bound`: a share.
std::optional<double> settled_scale(const std::vector<ScaleStep>& steps, double bound);

/// What is run: a workload on a system, and on another if speed is a speedup over it.
struct ScaleQuestion {
    SystemConfig system;
    std::optional<SystemConfig> over;
    NamedWorkload workload;
    double bound = 0.05; ///< a share
};
/// Runs points on `workers`. `step` is called after each scale, `check` often; it may throw to end the search.
/// ConfigError for a trace, which has one size, and with the reason of a run that failed.
FoundScale find_scale(const ScaleQuestion& question, PointWorkers& workers,
                      const std::function<void(const ScaleStep&)>& step, const std::function<void()>& check);

/// A line a scale, and which is taken.
std::string scale_text(const FoundScale& found, const ScaleQuestion& question);

} // namespace numavp
