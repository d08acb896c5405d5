/// Numbers of results.json outside `statistics` that studies have as metrics: issue slots and access latencies.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

/// Metrics with their paths: `slots.socketN.<cause>` and the like, `slots.socketN.slots` for all slots of the socket's
/// schedulers, and `access_latency.<kind>.<home>.<what>`. Empty if the results lack these members, as those of earlier
/// versions do. `results` needs no other members.
std::vector<std::pair<std::string, ordered_json>> slot_metrics(const ordered_json& results);

} // namespace numavp
