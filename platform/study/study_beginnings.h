/// Points of a study that share their beginning: up to the launch of a kernel they are one run, simulated once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/study/study_points.h"

namespace numavp {

struct SharedBeginning {
    std::uint64_t kernel = 2;                            ///< number of the launch at which the points part
    std::vector<std::shared_ptr<const PointJob>> points; ///< at least two; never null

    double time_limit_s() const { return points.front()->time_limit_s; } ///< of each point
};

/// Groups of the points that differ in changes at the launch of a kernel after the first, and in nothing before it. A
/// point is in one group at most. Where points part more than once, the groups are those that spare the most launches.
std::vector<SharedBeginning> shared_beginnings(const std::vector<std::shared_ptr<const PointJob>>& points);

/// Text form of a beginning, sent to the process that runs it; and its inverse.
std::string beginning_text(const SharedBeginning& beginning);
SharedBeginning beginning_of(const std::string& text);

} // namespace numavp
