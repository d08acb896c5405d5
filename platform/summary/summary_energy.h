/// The part of a run's summary about energy.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

struct Style;

struct EnergySummary {
    std::vector<std::pair<std::string, double>>
        components; ///< names of `statistics.energy` and pJ; they sum to the total
    double total_pj = 0;
    double power_w = 0; ///< mean over the run
};

/// No value if only links and networks have an energy model.
std::optional<EnergySummary> summarise_energy(const ordered_json& statistics, double time_ns);
ordered_json json_of(const EnergySummary& energy);
std::string energy_table(const EnergySummary& energy, const Style& style);

} // namespace numavp
