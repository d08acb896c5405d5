/// The main numbers of a run, computed from its statistics: rates, shares, mean latencies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_file.h"
#include "common/system/system_config.h"
#include "platform/summary/caveats.h"
#include "platform/summary/summary_copies.h"
#include "platform/summary/summary_energy.h"
#include "platform/summary/summary_faults.h"
#include "platform/summary/summary_host.h"
#include "platform/summary/summary_network.h"
#include "platform/summary/summary_parts.h"
#include "platform/summary/summary_slots.h"
#include "platform/summary/summary_translation.h"
#include "platform/verdict/roofline.h"
#include "platform/verdict/verdict.h"

namespace numavp {

/// Latency of load lines that left an SM.
struct LatencySummary {
    std::uint64_t loads = 0;
    std::optional<double> mean_ns;
    /// Smallest and largest of the percentiles of the sockets.
    std::optional<std::pair<double, double>> p50_ns, p99_ns;
    std::vector<std::pair<std::string, double>> parts_ns; ///< means; they sum to mean_ns
    /// Mean wait for a page before the latency begins, from the begin of the wait on. Null without translation.
    std::optional<double> translation_ns;
};

/// Numbers of a socket. Rates are null if their count is zero, or if the system lacks the part.
struct SocketSummary {
    std::optional<double> l1_hit_rate, l2_local_hit_rate, l2_remote_hit_rate, l2_incoming_hit_rate;
    std::optional<double> remote_share; ///< of the loads that missed L1
    ordered_json ratios;                ///< all that the socket registered, by figure: {"l2_merged_share": 0.88, ...}
    std::optional<double> memory_gbps, memory_use;
    /// `use` is GB/s over `could`, the mean bandwidth in the run of the lanes that faced this way.
    std::optional<double> out_gbps, out_could_gbps, out_use, in_gbps, in_could_gbps, in_use;
    std::optional<std::uint64_t> lanes_out, lanes_in, l2_local_ways, l1_local_ways;
    unsigned l2_ways = 0, l1_ways = 0; ///< of both kinds
};

struct RunSummary {
    std::string system;
    std::string workload;
    double scale = 1.0;                ///< of the problem's size, as it was given or found
    std::optional<std::uint64_t> seed; ///< of the workload; none: it draws nothing
    std::uint64_t cycles = 0;
    double time_ns = 0.0;
    std::uint64_t kernels = 0, blocks = 0;
    std::uint64_t warp_instructions = 0;
    std::uint64_t issued = 0, completed = 0; ///< transactions
    std::optional<double> link_energy_pj;
    LatencySummary local, remote;
    PartNames parts; ///< of the sockets
    std::vector<SocketSummary> sockets;
    std::optional<NetworkSummary> network;       ///< where routers join the sockets
    std::vector<SlotSummary> slots;              ///< by socket; empty where results have none
    std::vector<TranslationSummary> translation; ///< by socket; empty where translation is off
    std::optional<DriverSummary> driver;         ///< where a driver serves page faults
    std::optional<CopiesSummary> copies;         ///< where copies take time
    std::optional<EnergySummary> energy;         ///< where more than links and networks has one
    std::optional<FaultSummary> faults;          ///< where links have errors or lose lanes
    std::optional<HostSummary> host;             ///< where the host's own work takes time
    ordered_json streams;                        ///< rows by stream (stream_rows.h); null where results have none

    ordered_json ratios;         ///< of all owners together, by figure
    std::vector<Caveat> caveats; ///< what the run is too small to show
    Verdict verdict;             ///< what limits it
    Roofline roofline;           ///< of kernels and levels

    std::optional<double> ipc() const;
};

/// `results` is the value of results_json(); numbers whose statistics are missing are left out.
RunSummary summarise(const SystemConfig& config, const ordered_json& results);

/// JSON for programs, on one line.
ordered_json summary_json(const RunSummary& summary);

} // namespace numavp
