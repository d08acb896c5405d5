#include "tlm-links/topology/table_routing.h"

#include <algorithm>
#include <deque>

namespace numavp {

TableRouting::TableRouting(TableForm form, const NetworkGraph& graph, const TopologySpec& spec)
    : TopologyRouting(graph, spec), form_(form), virtual_channels_(spec.virtual_channels),
      neighbours_(graph.routers.size()), hops_(graph.routers.size() * graph.routers.size(), kFar) {
    for (const NetworkChannel& c : graph.channels) neighbours_[c.from].push_back({c.to, false});
    for (std::vector<Neighbour>& n : neighbours_) {
        std::sort(n.begin(), n.end(), [](Neighbour a, Neighbour b) { return a.router < b.router; });
        n.erase(std::unique(n.begin(), n.end(), [](Neighbour a, Neighbour b) { return a.router == b.router; }),
                n.end());
    }
    if (form == TableForm::up_down) {
        down_.assign(hops_.size(), kFar);
        rank_routers();
        find_down();
        find_up_down();
    } else {
        find_shortest();
    }
    for (const Hops h : hops_)
        if (h != kFar) longest_ = std::max<unsigned>(longest_, h);
}

/// Breadth first from the lowest index of each component; within a level by index.
void TableRouting::rank_routers() {
    constexpr unsigned kUnknown = ~0U;
    std::vector<unsigned> level(neighbours_.size(), kUnknown);
    for (unsigned root = 0; root < level.size(); ++root) {
        if (level[root] != kUnknown) continue;
        level[root] = 0;
        std::deque<unsigned> queue{root};
        for (; !queue.empty(); queue.pop_front())
            for (const Neighbour& n : neighbours_[queue.front()])
                if (level[n.router] == kUnknown) {
                    level[n.router] = level[queue.front()] + 1;
                    queue.push_back(n.router);
                }
    }
    const auto rank = [&](unsigned r) { return std::pair(level[r], r); };
    for (unsigned r = 0; r < level.size(); ++r) {
        by_rank_.push_back(r);
        for (Neighbour& n : neighbours_[r]) n.up = rank(n.router) < rank(r);
    }
    std::sort(by_rank_.begin(), by_rank_.end(), [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
}

void TableRouting::find_shortest() {
    // Channels go both ways, so the search from the target finds the hops to it.
    for (unsigned target = 0; target < neighbours_.size(); ++target) {
        hops_[at(target, target)] = 0;
        std::deque<unsigned> queue{target};
        for (; !queue.empty(); queue.pop_front())
            for (const Neighbour& n : neighbours_[queue.front()]) {
                Hops& h = hops_[at(n.router, target)];
                if (h != kFar) continue;
                h = static_cast<Hops>(hops_[at(queue.front(), target)] + 1);
                queue.push_back(n.router);
            }
    }
}

/// From a router a channel that leads up goes to where the channel back leads down.
void TableRouting::find_down() {
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

void TableRouting::find_up_down() {
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

unsigned TableRouting::hops(unsigned router, unsigned target) const {
    const Hops h = hops_[at(router, target)];
    return h == kFar ? kNoWay : h;
}

VcRange TableRouting::class_of(unsigned hops_to_go) const {
    if (form_ != TableForm::hop_classes) return vcs(RouteLeg::to_destination);
    const unsigned number = longest_ - hops_to_go;
    return {number * virtual_channels_ / longest_, (number + 1) * virtual_channels_ / longest_};
}

std::vector<RouteStep> TableRouting::steps(unsigned router, unsigned target, RouteLeg /*leg*/) const {
    std::vector<RouteStep> found;
    const unsigned to_go = hops(router, target);
    if (to_go == 0 || to_go == kNoWay) return found;
    const bool down_only = form_ == TableForm::up_down && down_[at(router, target)] != kFar;
    const std::vector<Hops>& table = down_only ? down_ : hops_;
    const bool any_way = form_ != TableForm::up_down;
    for (const Neighbour& n : neighbours_[router]) {
        if (!any_way && n.up == down_only) continue;
        if (table[at(n.router, target)] + 1U != to_go) continue;
        channels().add_steps(router, n.router, class_of(to_go), found);
        if (form_ == TableForm::first_shortest) break;
    }
    return found;
}

} // namespace numavp
