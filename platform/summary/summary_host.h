/// The part of a run's summary about the host's own work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/config/config_file.h"

namespace numavp {

struct Style;

struct HostSummary {
    std::uint64_t phases = 0, instructions = 0, loads = 0, stores = 0, fetched = 0, written = 0, memory_bytes = 0;
    double busy_ns = 0;         ///< in a phase
    double share = 0;           ///< of the run
    std::optional<double> ipc;  ///< instructions a core cycle of a phase
    std::optional<double> gbps; ///< of lines that are fetched and written back
};

/// No value if the host has no core.
std::optional<HostSummary> summarise_host(const ordered_json& statistics, double time_ns, std::uint64_t clock_khz);
ordered_json json_of(const HostSummary& host);
std::string host_text(const HostSummary& host, const Style& style);

} // namespace numavp
