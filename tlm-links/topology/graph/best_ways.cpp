#include "tlm-links/topology/graph/best_ways.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <utility>

#include "base/values/error.h"

namespace numavp {

namespace {

/// Speeds in descending order; those that differ by rounding alone are one.
class SpeedRanks {
  public:
    explicit SpeedRanks(std::vector<double> speeds) {
        std::sort(speeds.begin(), speeds.end(), std::greater<>());
        for (const double speed : speeds)
            if (lowest_.empty() || speed < lowest_.back() * (1 - kRounding)) lowest_.push_back(speed);
    }
    /// 0 is the fastest. Beyond what a cost counts the slowest are alike.
    unsigned of(double speed) const {
        const auto found = std::find_if(lowest_.begin(), lowest_.end(),
                                        [speed](double known) { return speed >= known * (1 - kRounding); });
        return std::min(static_cast<unsigned>(found - lowest_.begin()), kMost);
    }

  private:
    static constexpr double kRounding = 1e-9;
    static constexpr unsigned kMost = 0xffff;

    std::vector<double> lowest_;
};

} // namespace

WayCost WayCost::after(unsigned rank, const Transit* passed) const {
    std::uint64_t cost = packed_ + (std::uint64_t{1} << kHops);
    if (passed && *passed == Transit::cpu) cost += std::uint64_t{1} << kCpus;
    if (passed && *passed == Transit::endpoint) cost += std::uint64_t{1} << kEndpoints;
    const std::uint64_t slowest = std::max<std::uint64_t>(cost & kMostRank, rank);
    return WayCost((cost & ~std::uint64_t{kMostRank}) | slowest);
}

BestWays::BestWays(std::vector<Transit> parts, const std::vector<WayLink>& links)
    : transit_(std::move(parts)), next_(transit_.size()), before_(transit_.size()) {
    if (transit_.size() > WayCost::kMostParts) throw ModelError("ways between more parts than their costs can count");
    std::map<std::pair<unsigned, unsigned>, double> together;
    for (const WayLink& link : links) together[{link.from, link.to}] += link.gbytes_per_s;
    std::vector<double> speeds;
    for (const auto& [ends, speed] : together) speeds.push_back(speed);
    std::sort(speeds.begin(), speeds.end());
    speeds.erase(std::unique(speeds.begin(), speeds.end()), speeds.end());
    const SpeedRanks ranks(std::move(speeds));
    for (const auto& [ends, speed] : together) { // in the order of `from`, then of `to`
        next_[ends.first].push_back({ends.second, ranks.of(speed)});
        before_[ends.second].push_back({ends.first, ranks.of(speed)});
    }
}

std::vector<WayCost> BestWays::to(unsigned target) const {
    std::vector<WayCost> costs(transit_.size());
    costs[target] = WayCost::none_yet();
    using Reached = std::pair<WayCost, unsigned>;
    const auto later = [](const Reached& a, const Reached& b) { return b.first < a.first; };
    std::priority_queue<Reached, std::vector<Reached>, decltype(later)> reached(later);
    reached.push({costs[target], target});
    while (!reached.empty()) {
        const auto [cost, part] = reached.top();
        reached.pop();
        if (cost != costs[part]) continue; // a better one was found since
        for (const Next& before : before_[part]) {
            const WayCost by = cost_by({part, before.rank}, cost, target);
            if (!(by < costs[before.part])) continue;
            costs[before.part] = by;
            reached.push({by, before.part});
        }
    }
    return costs;
}

} // namespace numavp
