/// The part of a run's summary about copies between host and devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/config/config_file.h"

namespace numavp {

struct Style;

/// Sums over the copies of one direction.
struct CopiesOneWay {
    std::uint64_t copies = 0, bytes = 0;
    double time_ns = 0;         ///< summed over copies
    std::optional<double> gbps; ///< null without one
};

struct CopiesSummary {
    CopiesOneWay to_device, to_host;
    std::optional<CopiesOneWay> peer; ///< between arrays; null where the workload has none
    double busy_ns = 0;               ///< with a copy under way
    double share = 0;                 ///< of the run
};

/// No value if no engines copy.
std::optional<CopiesSummary> summarise_copies(const ordered_json& statistics, double time_ns);
ordered_json json_of(const CopiesSummary& copies);
std::string copies_text(const CopiesSummary& copies, const Style& style);

} // namespace numavp
