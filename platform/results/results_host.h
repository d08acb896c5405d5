/// Facts that depend on the machine and the moment of a run: the content of run.json.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

/// Wall time and amount of work of a run.
struct RunCost {
    double wall_seconds = 0.0; ///< of the simulation, without loading and writing
    double load_seconds = 0.0; ///< of reading the workload and building the system
    std::uint64_t cycles = 0;  ///< simulated
    std::uint64_t warp_instructions = 0;
    std::uint64_t transactions = 0;
    std::uint64_t events = 0; ///< deliveries and arbitrations of the clockwork
    unsigned workers = 1;
    std::string why_one_worker{}; ///< where more were asked for

    double per_second(std::uint64_t count) const {
        return wall_seconds > 0.0 ? static_cast<double>(count) / wall_seconds : 0.0;
    }
};

ordered_json run_json(const RunCost& cost, const std::vector<std::string>& command_line);

} // namespace numavp
