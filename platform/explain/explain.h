/// Describes a resolved system for a person: parts, bandwidths, latencies, and a drawing.
#pragma once

#include <string>

#include "base/config/config_file.h"
#include "common/system/system_config.h"
#include "common/words/text.h"

namespace numavp {

std::string explain_text(const SystemConfig& config, const Style& style);
ordered_json explain_json(const SystemConfig& config);
/// The system's connections as CSV: name, number, GB/s in all, cycles.
std::string explain_csv(const SystemConfig& config);

/// Bandwidth of a connection each way, as wired, and its latency.
struct Pathway {
    std::string what;
    double gbps = 0.0;     ///< of all of them in a socket (or in the switch) together
    unsigned count = 1;    ///< how many share it
    unsigned cycles = 0;   ///< latency one way, or of an access
    std::uint64_t khz = 0; ///< of its clock; 0: the core's
    bool between_routers = false;
};
std::vector<Pathway> pathways(const SystemConfig& config);

} // namespace numavp
