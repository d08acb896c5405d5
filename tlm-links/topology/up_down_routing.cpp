#include "tlm-links/topology/up_down_routing.h"

#include <algorithm>
#include <array>
#include <deque>

namespace numavp {

namespace {
constexpr unsigned kUnknown = ~0U;

/// Routers that the search has reached and not gone on from, those that are transit apart from CPUs and endpoints.
class Frontier {
  public:
    void add(unsigned router, Transit transit) { waiting_[static_cast<std::size_t>(transit)].push_back(router); }
    /// The next one: of transit routers the first, then of CPUs, then of endpoints; kUnknown if there is none.
    unsigned take() {
        for (std::deque<unsigned>& of_kind : waiting_)
            if (!of_kind.empty()) {
                const unsigned router = of_kind.front();
                of_kind.pop_front();
                return router;
            }
        return kUnknown;
    }

  private:
    std::array<std::deque<unsigned>, 3> waiting_;
};
} // namespace

UpDownRouting::UpDownRouting(const NetworkGraph& graph, const TopologySpec& spec)
    : TopologyRouting(graph, spec), neighbours_(graph.routers.size()),
      hops_(graph.routers.size() * graph.routers.size(), kFar), down_(hops_.size(), kFar) {
    for (const NetworkChannel& c : graph.channels) neighbours_[c.from].push_back({c.to, false});
    for (std::vector<Neighbour>& n : neighbours_) {
        std::sort(n.begin(), n.end(), [](Neighbour a, Neighbour b) { return a.router < b.router; });
        n.erase(std::unique(n.begin(), n.end(), [](Neighbour a, Neighbour b) { return a.router == b.router; }),
                n.end());
    }
    rank_routers(graph.transit.empty() ? std::vector<Transit>(graph.routers.size(), Transit::router) : graph.transit);
    find_down();
    find_up_down();
}

/// Breadth first from the lowest index of each component, transit routers before others. A router that is no transit
/// is a level below all that were gone on from before it.
std::vector<unsigned> UpDownRouting::levels(const std::vector<Transit>& transit) const {
    std::vector<unsigned> level(neighbours_.size(), kUnknown);
    for (const Transit kind : {Transit::router, Transit::cpu, Transit::endpoint})
        for (unsigned root = 0; root < level.size(); ++root) {
            if (level[root] != kUnknown || transit[root] != kind) continue;
            level[root] = 0;
            unsigned deepest = 0;
            Frontier frontier;
            frontier.add(root, kind);
            for (unsigned r = frontier.take(); r != kUnknown; r = frontier.take()) {
                if (transit[r] != Transit::router && r != root) level[r] = deepest + 1;
                deepest = std::max(deepest, level[r]);
                for (const Neighbour& n : neighbours_[r]) {
                    if (level[n.router] != kUnknown) continue;
                    level[n.router] = level[r] + 1;
                    deepest = std::max(deepest, level[n.router]);
                    frontier.add(n.router, transit[n.router]);
                }
            }
        }
    return level;
}

void UpDownRouting::rank_routers(const std::vector<Transit>& transit) {
    const std::vector<unsigned> level = levels(transit);
    const auto rank = [&](unsigned r) { return std::pair(level[r], r); };
    for (unsigned r = 0; r < level.size(); ++r) {
        by_rank_.push_back(r);
        for (Neighbour& n : neighbours_[r]) n.up = rank(n.router) < rank(r);
    }
    std::sort(by_rank_.begin(), by_rank_.end(), [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
}

/// From a router a channel that leads up goes to where the channel back leads down.
void UpDownRouting::find_down() {
    for (unsigned target = 0; target < neighbours_.size(); ++target) {
        down_[at(target, target)] = 0;
        std::deque<unsigned> queue{target};
        for (; !queue.empty(); queue.pop_front())
            for (const Neighbour& n : neighbours_[queue.front()]) {
                Hops& h = down_[at(n.router, target)];
                if (!n.up || h != kFar) continue;
                h = static_cast<Hops>(down_[at(queue.front(), target)] + 1);
                queue.push_back(n.router);
            }
    }
}

void UpDownRouting::find_up_down() {
    for (unsigned target = 0; target < neighbours_.size(); ++target)
        for (const unsigned r : by_rank_) { // what lies up from r is known before r
            Hops& h = hops_[at(r, target)];
            h = down_[at(r, target)];
            if (h != kFar) continue;
            for (const Neighbour& n : neighbours_[r]) {
                const Hops above = hops_[at(n.router, target)];
                if (n.up && above != kFar) h = std::min(h, static_cast<Hops>(above + 1));
            }
        }
}

unsigned UpDownRouting::hops(unsigned router, unsigned target) const {
    const Hops h = hops_[at(router, target)];
    return h == kFar ? kNoWay : h;
}

std::vector<RouteStep> UpDownRouting::steps(unsigned router, unsigned target, RouteLeg /*leg*/) const {
    std::vector<RouteStep> found;
    const unsigned to_go = hops(router, target);
    if (to_go == 0 || to_go == kNoWay) return found;
    const bool down_only = down_[at(router, target)] != kFar;
    const std::vector<Hops>& table = down_only ? down_ : hops_;
    for (const Neighbour& n : neighbours_[router])
        if (n.up != down_only && table[at(n.router, target)] + 1U == to_go)
            channels().add_steps(router, n.router, vcs(RouteLeg::to_destination), found);
    return found;
}

} // namespace numavp
