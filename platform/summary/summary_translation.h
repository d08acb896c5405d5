/// The part of a run's summary about translation, page faults and the driver that serves them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_file.h"
#include "common/system/system_config.h"
#include "common/words/text.h"
#include "platform/summary/summary_parts.h"

namespace numavp {

class RatioValues;

/// Numbers of one socket. Rates and means are null if there were no look-ups, walks or waits.
struct TranslationSummary {
    std::optional<double> l1_tlb_hit_rate; ///< line accesses that did not wait for a translation, of all
    std::optional<double> l2_tlb_hit_rate; ///< of the requests that reached the L2 TLB
    std::uint64_t walks = 0, waits = 0, faults = 0;
    std::optional<double> walk_ns; ///< mean, of a walk
    std::optional<double> wait_ns; ///< mean, of an instruction for a page
};

/// One direction of the host's link.
struct HostLinkSummary {
    std::optional<double> gbps, use; ///< over the run's time; of driver's `host.link_gbps`
};

struct DriverSummary {
    std::uint64_t faults = 0;                              ///< completed
    std::optional<double> mean_ns, p50_ns, p99_ns, max_ns; ///< from a fault to its replay
    std::vector<std::pair<std::string, double>> parts_ns;  ///< means; they sum to mean_ns
    std::optional<double> busy;                            ///< share of the run's time with a fault in its hands
    /// If the driver makes replicas of pages: made, given up again, pages that gave up all at once.
    std::optional<std::uint64_t> replicas, replicas_dropped, collapses;
    std::uint64_t migrations = 0; ///< pages taken out of their frame
    std::uint64_t notes = 0;      ///< of accesses to remote pages
    std::uint64_t copies = 0, copied_bytes = 0, fills = 0, filled_bytes = 0;
    std::optional<HostLinkSummary> link_out, link_in;
};

/// Empty if translation is off. `statistics` is the member of results.json.
std::vector<TranslationSummary> summarise_translation(const SystemConfig& config, const ordered_json& statistics,
                                                      const RatioValues& ratios);
/// No value if no driver serves faults. `ns` is the time of the run.
std::optional<DriverSummary> summarise_driver(const SystemConfig& config, const ordered_json& results, double ns);

ordered_json json_of(const TranslationSummary& translation);
ordered_json json_of(const DriverSummary& driver);

/// Tables for the terminal, each with its heading; empty if there are no numbers.
std::string translation_text(const std::vector<TranslationSummary>& sockets, const PartNames& names,
                             const Style& style);
std::string driver_text(const DriverSummary& driver, const Style& style);

} // namespace numavp
