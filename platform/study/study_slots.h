/// Numbers of results.json outside `statistics` that studies have as metrics: issue slots and access latencies.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/base/config_file.h"

namespace numavp {

/// Paths with their numbers: `slots.socketN.<cause>` and the like, with `slots.socketN.slots` for all slots of the
/// socket's schedulers, and `access_latency.<kind>.<home>.<what>`. Nothing where results, such as those of earlier
/// versions, do not have them. `results` needs no other members.
std::vector<std::pair<std::string, ordered_json>> slot_metrics(const ordered_json& results);

} // namespace numavp
