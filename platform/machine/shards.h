/// How many workers execute a system, and which packages each of them has.
#pragma once

#include <string>

#include "common/system/system_config.h"
#include "platform/machine/system.h"
#include "sw/work/workload.h"

namespace numavp {

struct Shards {
    unsigned workers = 1;
    unsigned packages = 1;
    std::string why_one; ///< what cannot be shared, where more than one were asked for; else empty

    /// Neighbouring packages, as many for each worker as can be.
    unsigned shard_of(unsigned package) const { return package * workers / packages; }
};

/// The shards for options.workers. Results do not depend on them; what can't be shared yet runs on one worker.
/// ConfigError where more are asked for than the system has packages.
Shards divide(const SystemConfig& config, const Workload& workload, const SystemOptions& options);

} // namespace numavp
