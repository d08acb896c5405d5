/// Errors of links and channels in a run, and what was sent again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/config/config_file.h"

namespace numavp {

struct FaultSummary {
    std::uint64_t packets = 0; ///< that arrived with an error over sockets' links
    std::uint64_t replayed_bytes = 0;
    std::uint64_t flits = 0, replayed_flits = 0; ///< of channels between routers
    std::uint64_t retired_lanes = 0;
};

/// None if links have no errors and lose no lanes.
std::optional<FaultSummary> summarise_faults(const ordered_json& statistics, unsigned sockets);
std::string fault_words(const FaultSummary& faults);
ordered_json json_of(const FaultSummary& faults);

} // namespace numavp
