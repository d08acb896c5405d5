/// How many workers execute a system, and which packages each of them has.
#pragma once

#include <string>
#include <vector>

#include "common/system/system_config.h"
#include "platform/machine/system.h"
#include "sw/work/workload.h"

namespace numavp {

struct Shards {
    unsigned workers = 1;
    std::vector<unsigned> of_package; ///< by package; empty with one worker
    std::string why_one;              ///< what cannot be shared, where more than one were asked for; else empty

    unsigned shard_of(unsigned package) const { return of_package.empty() ? 0 : of_package[package]; }
};

/// The shards for options.workers: neighbouring packages, as many with SMs for each worker as can be, and with them the
/// packages that are their memory. Shards ascend with the packages that touch pages, whose first touches come in order.
/// Results do not depend on shards; what can't be shared yet runs on one worker.
/// ConfigError where more are asked for than the system has packages.
Shards divide(const SystemConfig& config, const Workload& workload, const SystemOptions& options);

} // namespace numavp
