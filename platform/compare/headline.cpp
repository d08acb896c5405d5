#include "platform/compare/headline.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/config/config.h"
#include "common/system/recorded_system.h"
#include "platform/results/ratio_values.h"
#include "platform/summary/summary.h"

namespace numavp {
namespace {

struct HeadlineNumber {
    std::string path, unit, doc;
    std::optional<double> value;
};

std::optional<double> times(std::optional<double> value, double factor) {
    return value ? std::optional<double>(*value * factor) : std::nullopt;
}

/// A registered ratio over all its owners, shares in %.
HeadlineNumber headline_ratio(const RatioValues& ratios, const std::string& name, const std::string& path) {
    const OwnedRatio* owned = find_ratio(ratios.all(), name);
    if (owned == nullptr) return {path, "", "", std::nullopt};
    const Ratio& ratio = owned->ratio;
    const std::optional<double> value = ratios.together(*owned);
    return {path, ratio.is_share() ? "%" : ratio.unit, ratio.doc, ratio.is_share() ? times(value, 100.0) : value};
}

std::vector<HeadlineNumber> numbers_of(const ordered_json& results) {
    const auto config =
        recorded_config(json(results.at("configuration")), Place{"results.json", "$.configuration", nullptr});
    const RunSummary run = summarise(config, results);
    const RatioValues ratios(results);
    const bool links_mean = !run.network || run.link_energy_pj.value_or(0.0) != 0.0;
    std::optional<double> network_pj;
    const bool by_the_bit = config.energy.network.form != NetworkForm::crossbars || !config.energy.given();
    if (run.network && run.network->energy_pj && by_the_bit)
        network_pj = *run.network->energy_pj + run.network->idle_energy_pj.value_or(0.0);
    const bool faults = run.driver && run.driver->faults > 0;
    std::vector<HeadlineNumber> numbers = {
        {"time", "us", "Simulated time.", run.time_ns / 1e3},
        {"cycles", "cycles", "Cycles of the GPU clock to the end of the last kernel.", static_cast<double>(run.cycles)},
        {"warp_instructions", "instructions", "Warp instructions issued.", static_cast<double>(run.warp_instructions)},
        headline_ratio(ratios, "ipc", "ipc"),
        {"transactions", "transactions", "Memory transactions answered.", static_cast<double>(run.completed)},
        {"local_latency", "ns", "Mean latency of load lines that missed L1, with their home in the socket.",
         run.local.mean_ns},
        {"remote_latency", "ns", "Mean latency of load lines that missed L1, with their home in another socket.",
         run.remote.mean_ns},
        headline_ratio(ratios, "l1.hit_rate", "l1_hit_rate"),
        headline_ratio(ratios, "l2.hit_rate", "l2_hit_rate"),
        headline_ratio(ratios, "l2.merged_share", "l2_merged_share"),
        headline_ratio(ratios, "l2.miss_rate", "l2_miss_rate"),
        headline_ratio(ratios, "remote_share", "remote_share"),
        headline_ratio(ratios, "memory.gbps", "memory_bandwidth"),
        headline_ratio(ratios, "link.gbps", "link_bandwidth"),
        {"link_energy", "mJ", "Energy of all links and the switch.",
         links_mean ? times(run.link_energy_pj, 1e-9) : std::nullopt},
        {"network_energy", "mJ", "Energy of channels between packages, with that of idle ones where it is counted.",
         times(network_pj, 1e-9)},
        {"energy", "mJ", "Energy of all components.",
         run.energy ? std::optional<double>(run.energy->total_pj * 1e-9) : std::nullopt},
        {"faults", "faults", "Page faults that the driver completed.",
         faults ? std::optional<double>(static_cast<double>(run.driver->faults)) : std::nullopt},
        {"fault_latency", "us", "Mean latency of a page fault.",
         faults ? times(run.driver->mean_ns, 1e-3) : std::nullopt},
    };
    for (const OwnedRatio& owned : ratios.all()) { // those that this list does not name
        const std::string& name = owned.ratio.name;
        const bool told = name == "memory.gbps" || name == "link.gbps" || is_detail(ratios.all(), owned.ratio) ||
                          std::any_of(numbers.begin(), numbers.end(),
                                      [&](const HeadlineNumber& n) { return n.path == owned.ratio.figure(); });
        if (!told) numbers.push_back(headline_ratio(ratios, name, owned.ratio.figure()));
    }
    return numbers;
}

} // namespace

std::vector<NumberDifference> headline_of(const std::vector<ComparedRun>& runs) {
    std::vector<NumberDifference> out;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        for (HeadlineNumber& number : numbers_of(runs[r].results)) {
            auto found = std::find_if(out.begin(), out.end(), [&](const auto& o) { return o.path == number.path; });
            if (found == out.end()) // one that earlier runs lack
                found =
                    out.insert(out.end(), {number.path, "", "", "", std::vector<std::optional<double>>(runs.size())});
            if (found->doc.empty()) {
                found->unit = std::move(number.unit);
                found->doc = std::move(number.doc);
            }
            found->values[r] = number.value;
        }
    }
    const auto unknown = [](const NumberDifference& number) {
        return std::none_of(number.values.begin(), number.values.end(), [](const auto& v) { return v.has_value(); });
    };
    out.erase(std::remove_if(out.begin(), out.end(), unknown), out.end());
    return out;
}

} // namespace numavp
