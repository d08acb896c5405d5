#include "platform/compare/section_differences.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "common/system/recorded_system.h"
#include "common/system/system_config.h"
#include "models/sm/slot_account.h"
#include "platform/results/results.h"

namespace numavp {
namespace {

/// Numbers of the runs by path, in the order in which they come first.
class SectionNumbers {
  public:
    explicit SectionNumbers(std::size_t runs) : runs_(runs) {}

    void add(std::size_t run, const std::string& path, const char* unit, const std::string& doc,
             std::optional<double> value) {
        const auto [found, fresh] = index_.emplace(path, all_.size());
        if (fresh) all_.push_back({path, unit, doc, "", std::vector<std::optional<double>>(runs_)});
        all_[found->second].values[run] = value;
    }
    /// Without those that no run has.
    std::vector<NumberDifference> known() {
        const auto unknown = [](const NumberDifference& number) {
            return std::none_of(number.values.begin(), number.values.end(),
                                [](const auto& v) { return v.has_value(); });
        };
        all_.erase(std::remove_if(all_.begin(), all_.end(), unknown), all_.end());
        return std::move(all_);
    }

  private:
    std::size_t runs_;
    std::map<std::string, std::size_t> index_;
    std::vector<NumberDifference> all_;
};

/// Of one socket, or of several together.
struct SlotTotals {
    std::map<std::string, double> by_cause;
    double slots = 0.0, warps = 0.0, room = 0.0;
    double first_idle = std::numeric_limits<double>::infinity(); ///< last warp cycles
    double last_idle = 0.0;

    void add(const ordered_json& socket, const SmConfig& sm) {
        const auto schedulers = socket.at("schedulers").get<double>();
        if (schedulers == 0.0) return; // it has no SMs
        double slots_of_it = 0.0;
        for (const auto& cause : kSlotCauses) {
            const double value = socket.value(std::string(cause.name), 0.0);
            by_cause[std::string(cause.name)] += value;
            slots_of_it += value;
        }
        slots += slots_of_it;
        const double cycles = slots_of_it / schedulers; // of the SMs' clock
        if (cycles > 0.0) warps += socket.at("warp_cycles").get<double>() / cycles;
        room += schedulers / sm.schedulers * sm.warps;
        const auto last = socket.at("last_warp_cycle").get<double>();
        first_idle = std::min(first_idle, last);
        last_idle = std::max(last_idle, last);
    }
};

void add_slots(SectionNumbers& numbers, std::size_t run, const std::string& before, const SlotTotals& totals,
               const ordered_json& results) {
    if (totals.slots == 0.0) return;
    const auto us = [&](double cycle) {
        return time_ns(static_cast<std::uint64_t>(cycle), results.at("configuration").at("clock_khz")) / 1e3;
    };
    for (const auto& cause : kSlotCauses)
        numbers.add(run, before + std::string(cause.name), "%", std::string(cause.doc),
                    100.0 * totals.by_cause.at(std::string(cause.name)) / totals.slots);
    numbers.add(run, before + "resident_warps", "warps", "Resident warps, mean over the run.", totals.warps);
    numbers.add(run, before + "occupancy", "%", "Resident warps of those that fit.",
                100.0 * totals.warps / totals.room);
    if (!before.empty()) {
        numbers.add(run, before + "last_warp", "us", "When the socket's last warp ended.", us(totals.last_idle));
        return;
    }
    numbers.add(run, "first_idle", "us", "When the last warp of the socket that ended first did.",
                us(totals.first_idle));
    numbers.add(run, "last_idle", "us", "When the last warp of all did.", us(totals.last_idle));
}

} // namespace

std::vector<NumberDifference> slot_differences(const std::vector<ComparedRun>& runs, bool each) {
    SectionNumbers numbers(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const ordered_json& results = runs[r].results;
        const auto slots = results.find("slots");
        if (slots == results.end()) continue;
        const auto config =
            recorded_config(json(results.at("configuration")), Place{"results.json", "$.configuration", nullptr});
        SlotTotals all;
        const ordered_json& sockets = slots->at("sockets");
        for (unsigned s = 0; s < sockets.size(); ++s) {
            SlotTotals own;
            own.add(sockets[s], config.socket_at(s).sm);
            all.add(sockets[s], config.socket_at(s).sm);
            if (each) add_slots(numbers, r, fmt::format("socket{}.", s), own, results);
        }
        add_slots(numbers, r, "", all, results);
    }
    return numbers.known();
}

std::vector<NumberDifference> access_latency_differences(const std::vector<ComparedRun>& runs) {
    constexpr std::pair<const char*, const char*> kShown[] = {{"mean", "Mean latency."},
                                                              {"p50", "Median latency."},
                                                              {"p90", "90th percentile of the latency."},
                                                              {"p99", "99th percentile of the latency."},
                                                              {"p99_9", "99.9th percentile of the latency."}};
    SectionNumbers numbers(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto latency = runs[r].results.find("access_latency");
        if (latency == runs[r].results.end()) continue;
        for (const auto& [kind, homes] : latency->items())
            for (const auto& [home, of] : homes.items()) {
                const std::string path = fmt::format("{}.{}.", kind, home);
                const auto count = of.at("count").get<double>();
                numbers.add(r, path + "count", "accesses", "Accesses answered.",
                            count > 0.0 ? std::optional<double>(count) : std::nullopt);
                for (const auto& [name, doc] : kShown) {
                    const ordered_json& ps = of.at(std::string(name) + "_ps");
                    numbers.add(r, path + name, "ns", doc,
                                ps.is_number() ? std::optional<double>(ps.get<double>() / 1e3) : std::nullopt);
                }
            }
    }
    return numbers.known();
}

} // namespace numavp
