/// The part of a run's summary about its schedulers: issue slots by cause, resident warps, time of the last warp.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_file.h"
#include "common/words/text.h"
#include "platform/summary/summary_parts.h"

namespace numavp {

/// Numbers of one socket.
struct SlotSummary {
    std::optional<double> ipc;                          ///< slots in which something was issued, over cycles
    std::optional<double> warps;                        ///< resident, on the run's average
    std::vector<std::pair<std::string, double>> shares; ///< of its schedulers' slots, by cause; they sum to 1
    std::optional<double> last_warp_ns;                 ///< when its last warp ended
};

/// Empty if the results have no slots, as those of earlier versions. `clock_khz` is the system's clock.
std::vector<SlotSummary> summarise_slots(const ordered_json& results, std::uint64_t clock_khz);

ordered_json json_of(const SlotSummary& slots);

/// A table for the terminal with its heading; empty if there are no slots.
std::string slots_text(const std::vector<SlotSummary>& sockets, const PartNames& names, const Style& style);

} // namespace numavp
