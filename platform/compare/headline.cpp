#include "platform/compare/headline.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/system/moved_settings.h"
#include "platform/summary/summary.h"
#include "platform/summary/summary_statistics.h"

namespace numavp {
namespace {

struct HeadlineNumber {
    const char* path;
    const char* unit;
    const char* doc;
    std::optional<double> value;
};

std::optional<double> times(std::optional<double> value, double factor) {
    return value ? std::optional<double>(*value * factor) : std::nullopt;
}

/// Sum over the sockets that have the number; none if no socket has it.
std::optional<double> total_of(const RunSummary& run, std::optional<double> SocketSummary::*number) {
    std::optional<double> total;
    for (const SocketSummary& socket : run.sockets)
        if (socket.*number) total = total.value_or(0.0) + *(socket.*number);
    return total;
}

/// Of the members that are there, over some sockets; none if no socket has any.
class SocketTotals {
  public:
    SocketTotals(const ordered_json& statistics, std::vector<unsigned> sockets)
        : statistics_(statistics), sockets_(std::move(sockets)) {}

    std::optional<double> of(std::initializer_list<const char*> paths) const {
        std::optional<double> total;
        for (const unsigned s : sockets_) {
            const SummaryStatistics socket(statistics_, fmt::format("socket{}.", s));
            for (const char* path : paths)
                if (const std::optional<double> value = socket.real(path)) total = total.value_or(0.0) + *value;
        }
        return total;
    }

  private:
    const ordered_json& statistics_;
    std::vector<unsigned> sockets_;
};

std::vector<HeadlineNumber> numbers_of(const ordered_json& results) {
    const auto config =
        recorded_config(json(results.at("configuration")), Place{"results.json", "$.configuration", nullptr});
    const RunSummary run = summarise(config, results);
    std::vector<unsigned> sockets, cached; // all, and those whose slices keep lines
    for (unsigned s = 0; s < config.sockets; ++s) {
        sockets.push_back(s);
        if (config.socket_at(s).l2.has_cache()) cached.push_back(s);
    }
    const SocketTotals totals(results.at("statistics"), std::move(sockets));
    const SocketTotals caches(results.at("statistics"), std::move(cached));
    const auto l2_hits = caches.of({"l2.local.hits", "l2.remote.hits", "l2.incoming.hits"});
    const auto l2_reads =
        caches.of({"l2.local.hits", "l2.local.misses", "l2.local.merged", "l2.remote.hits", "l2.remote.misses",
                   "l2.remote.merged", "l2.incoming.hits", "l2.incoming.misses", "l2.incoming.merged"});
    const auto l1_misses = totals.of({"l1.misses_remote", "l1.misses_local"});
    const bool links_mean = !run.network || run.link_energy_pj.value_or(0.0) != 0.0;
    std::optional<double> network_pj;
    const bool by_the_bit = config.energy.network.form != NetworkForm::crossbars || !config.energy.given();
    if (run.network && run.network->energy_pj && by_the_bit)
        network_pj = *run.network->energy_pj + run.network->idle_energy_pj.value_or(0.0);
    const bool faults = run.driver && run.driver->faults > 0;
    return {
        {"time", "us", "Simulated.", run.time_ns / 1e3},
        {"cycles", "cycles", "Of the GPU clock, to the end of the last kernel.", static_cast<double>(run.cycles)},
        {"warp_instructions", "instructions", "Issued.", static_cast<double>(run.warp_instructions)},
        {"ipc", "per cycle", "Warp instructions in a cycle, of all sockets.", run.ipc()},
        {"transactions", "transactions", "Of memory, answered.", static_cast<double>(run.completed)},
        {"local_latency", "ns", "Mean of load lines that missed L1, with their home in the socket.", run.local.mean_ns},
        {"remote_latency", "ns", "The same, with their home in another.", run.remote.mean_ns},
        {"l1_hit_rate", "%", "Of the load lines that L1s looked up.",
         times(ratio(totals.of({"l1.hits"}), totals.of({"l1.load_lines"})), 100.0)},
        {"l2_hit_rate", "%", "Of the reads that L2s served.", times(ratio(l2_hits, l2_reads), 100.0)},
        {"remote_share", "%", "Of the load lines that missed L1: those with their home in another socket.",
         times(ratio(totals.of({"l1.misses_remote"}), l1_misses), 100.0)},
        {"memory_bandwidth", "GB/s", "Of all memories.", total_of(run, &SocketSummary::memory_gbps)},
        {"link_bandwidth", "GB/s", "Out of all sockets.", total_of(run, &SocketSummary::out_gbps)},
        {"link_energy", "mJ", "Of all links and the switch.",
         links_mean ? times(run.link_energy_pj, 1e-9) : std::nullopt},
        {"network_energy", "mJ", "Of channels between packages, with that of idle ones where it is counted.",
         times(network_pj, 1e-9)},
        {"energy", "mJ", "Of all components.",
         run.energy ? std::optional<double>(run.energy->total_pj * 1e-9) : std::nullopt},
        {"faults", "faults", "Page faults that the driver completed.",
         faults ? std::optional<double>(static_cast<double>(run.driver->faults)) : std::nullopt},
        {"fault_latency", "us", "Mean of a page fault.", faults ? times(run.driver->mean_ns, 1e-3) : std::nullopt},
    };
}

} // namespace

std::vector<NumberDifference> headline_of(const std::vector<ComparedRun>& runs) {
    std::vector<NumberDifference> out;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const std::vector<HeadlineNumber> numbers = numbers_of(runs[r].results);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (r == 0)
                out.push_back({numbers[i].path, numbers[i].unit, numbers[i].doc, "",
                               std::vector<std::optional<double>>(runs.size())});
            out[i].values[r] = numbers[i].value;
        }
    }
    const auto unknown = [](const NumberDifference& number) {
        return std::none_of(number.values.begin(), number.values.end(), [](const auto& v) { return v.has_value(); });
    };
    out.erase(std::remove_if(out.begin(), out.end(), unknown), out.end());
    return out;
}

} // namespace numavp
