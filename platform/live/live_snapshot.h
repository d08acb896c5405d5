/// What a run was doing at one moment: plain data that the simulating thread hands to the thread of the live view.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/accesses/access_output.h"
#include "platform/live/live_history.h"
#include "platform/live/live_waits.h"
#include "platform/machine/system.h"

namespace numavp {

/// A launch of a kernel; times in cycles of the core clock.
struct LiveKernel {
    std::string name;
    std::uint64_t launch = 0; ///< its number from 1; 0 while it runs
    Cycle begin = 0;          ///< start of the first block; of one that runs the cycle of its command
    Cycle end = 0;            ///< 0 while it runs
};

struct LiveSnapshot {
    Progress progress;
    double elapsed_seconds = 0.0; ///< since the simulation began
    LiveHistory history;
    std::vector<std::uint64_t> schedulers; ///< by socket
    std::vector<LiveKernel> running;       ///< in the order of their launches
    std::vector<LiveKernel> ended;         ///< the last ones, the latest first
    std::vector<LivePart> parts;           ///< all parts
    std::vector<KeptAccess> accesses;      ///< the last followed ones that ended, the latest first
};

} // namespace numavp
