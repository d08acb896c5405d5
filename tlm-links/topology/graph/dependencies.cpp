#include "tlm-links/topology/graph/dependencies.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {
namespace {

/// Steps that packets take ("claims": a channel and a range of virtual channels) and which follow which.
class ClaimGraph {
  public:
    explicit ClaimGraph(const NetworkGraph& graph) : of_channel_(graph.channels.size()) {}

    unsigned claim(const RouteStep& step) {
        for (const unsigned known : of_channel_[step.channel])
            if (claims_[known].vcs.first == step.vcs.first && claims_[known].vcs.end == step.vcs.end) return known;
        const auto number = static_cast<unsigned>(claims_.size());
        claims_.push_back(step);
        next_.emplace_back();
        of_channel_[step.channel].push_back(number);
        return number;
    }
    unsigned channel(unsigned claim) const { return claims_[claim].channel; }
    void follow(unsigned claim, unsigned next) {
        if (seen_.insert(std::uint64_t{claim} << 32U | next).second) next_[claim].push_back(next);
    }
    std::vector<HeldChannel> circle() const;

  private:
    /// A claim that is being looked at: a packet holds one of its virtual channels, `vc`.
    struct Visit {
        unsigned claim;
        unsigned vc;
        std::size_t waiting_for = 0; ///< position in `holders`
    };
    /// Claims whose packets may hold what a packet of `claim` waits for, and the virtual channel.
    std::vector<Visit> holders(unsigned claim) const;
    /// The end of `path` from the claim that was met `again`.
    std::vector<HeldChannel> from(const std::vector<Visit>& path, const Visit& again) const;

    std::vector<RouteStep> claims_;
    std::vector<std::vector<unsigned>> next_;
    std::vector<std::vector<unsigned>> of_channel_;
    std::unordered_set<std::uint64_t> seen_;
};

std::vector<ClaimGraph::Visit> ClaimGraph::holders(unsigned claim) const {
    std::vector<Visit> found;
    for (const unsigned wanted : next_[claim]) {
        const RouteStep& w = claims_[wanted];
        for (const unsigned holder : of_channel_[w.channel]) {
            const VcRange h = claims_[holder].vcs;
            const unsigned vc = std::max(h.first, w.vcs.first);
            if (vc < std::min(h.end, w.vcs.end)) found.push_back({holder, vc});
        }
    }
    return found;
}

std::vector<HeldChannel> ClaimGraph::from(const std::vector<Visit>& path, const Visit& again) const {
    std::vector<HeldChannel> found;
    for (const Visit& visit : path) {
        const bool first = visit.claim == again.claim;
        if (first || !found.empty()) found.push_back({claims_[visit.claim].channel, first ? again.vc : visit.vc});
    }
    return found;
}

std::vector<HeldChannel> ClaimGraph::circle() const {
    enum class State : unsigned char { unseen, open, done };
    std::vector<State> state(claims_.size(), State::unseen);
    std::vector<Visit> path;
    std::vector<std::vector<Visit>> waits; // of each element of the path
    const auto enter = [&](const Visit& visit) {
        state[visit.claim] = State::open;
        path.push_back(visit);
        waits.push_back(holders(visit.claim));
    };
    for (unsigned start = 0; start < claims_.size(); ++start) {
        if (state[start] == State::unseen) enter({start, claims_[start].vcs.first});
        while (!path.empty()) {
            if (path.back().waiting_for == waits.back().size()) {
                state[path.back().claim] = State::done;
                path.pop_back();
                waits.pop_back();
                continue;
            }
            const Visit next = waits.back()[path.back().waiting_for++];
            if (state[next.claim] == State::unseen)
                enter(next);
            else if (state[next.claim] == State::open)
                return from(path, next);
        }
    }
    return {};
}

/// Fills a ClaimGraph from a routing relation.
class DependencyWalk {
  public:
    DependencyWalk(const NetworkGraph& graph, const Routing& routing)
        : graph_(graph), routing_(routing), claims_(graph), ends_(graph.routers.size(), false) {
        for (const NetworkTerminal& t : graph.terminals) ends_[t.router] = true;
    }
    std::vector<HeldChannel> circle() {
        const std::vector<bool> between = intermediates();
        std::vector<bool> sources = ends_;
        for (unsigned r = 0; r < between.size(); ++r) sources[r] = sources[r] || between[r];
        const Borders first = add_leg(RouteLeg::to_intermediate, ends_, between);
        const Borders second = add_leg(RouteLeg::to_destination, sources, ends_);
        for (unsigned r = 0; r < between.size(); ++r)
            for (const unsigned in : first.into[r])
                for (const unsigned out : second.out_of[r]) claims_.follow(in, out);
        return claims_.circle();
    }

    std::vector<HeldChannel> circle(const PacketClass& packets) {
        add_leg(RouteLeg::to_destination, packets.from, packets.to);
        return claims_.circle();
    }

  private:
    /// Claims of packets that end at a router, and that begin there.
    struct Borders {
        std::vector<std::vector<unsigned>> into, out_of;
    };

    std::vector<bool> intermediates() const {
        std::vector<bool> found(graph_.routers.size(), false);
        for (unsigned s = 0; s < found.size(); ++s)
            for (unsigned t = 0; t < found.size(); ++t) {
                if (s == t || !ends_[s] || !ends_[t]) continue;
                for (const unsigned r : routing_.intermediates(s, t)) found[r] = true;
            }
        return found;
    }

    /// Claims of the steps at each router that packets to `target` visit; none elsewhere.
    std::vector<std::vector<unsigned>> claims_to(unsigned target, RouteLeg leg, std::vector<unsigned> visit) {
        std::vector<std::vector<unsigned>> claims(graph_.routers.size());
        while (!visit.empty()) {
            const unsigned r = visit.back();
            visit.pop_back();
            if (r == target || !claims[r].empty()) continue;
            for (const RouteStep& step : routing_.steps(r, target, leg)) {
                claims[r].push_back(claims_.claim(step));
                visit.push_back(graph_.channels[step.channel].to);
            }
        }
        return claims;
    }

    Borders add_leg(RouteLeg leg, const std::vector<bool>& sources, const std::vector<bool>& targets) {
        const std::size_t routers = graph_.routers.size();
        Borders borders{std::vector<std::vector<unsigned>>(routers), std::vector<std::vector<unsigned>>(routers)};
        std::vector<unsigned> from;
        for (unsigned r = 0; r < routers; ++r)
            if (sources[r]) from.push_back(r);
        for (unsigned target = 0; target < routers; ++target) {
            if (!targets[target]) continue;
            const std::vector<std::vector<unsigned>> claims = claims_to(target, leg, from);
            for (unsigned r = 0; r < routers; ++r)
                for (const unsigned claim : claims[r]) {
                    borders.out_of[r].push_back(claim);
                    const unsigned to = graph_.channels[claims_.channel(claim)].to;
                    if (to == target) borders.into[to].push_back(claim);
                    for (const unsigned next : claims[to]) claims_.follow(claim, next);
                }
        }
        return borders;
    }

    const NetworkGraph& graph_;
    const Routing& routing_;
    ClaimGraph claims_;
    std::vector<bool> ends_; ///< routers with terminals
};

std::string circle_text(const NetworkGraph& graph, const std::vector<HeldChannel>& circle) {
    constexpr std::size_t kShown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(circle.size(), kShown); ++i) {
        const NetworkChannel& c = graph.channels[circle[i].channel];
        text += fmt::format("{}{} to {} on VC {}", i == 0 ? "" : ", ", graph.routers[c.from], graph.routers[c.to],
                            circle[i].vc);
    }
    return circle.size() > kShown ? text + ", ..." : text;
}

/// Describes the error in the step of a packet at `router` to `target`; empty if there is none.
std::string step_fault(const NetworkGraph& graph, const Routing& routing, unsigned vcs, const RouteStep& step,
                       unsigned router, unsigned target) {
    if (step.channel >= graph.channels.size() || graph.channels[step.channel].from != router)
        return "takes a channel that does not leave it";
    if (step.vcs.first >= step.vcs.end || step.vcs.end > vcs)
        return fmt::format("takes virtual channels {} to {} (excluded) of {}", step.vcs.first, step.vcs.end, vcs);
    if (routing.hops(graph.channels[step.channel].to, target) + 1 != routing.hops(router, target))
        return "takes a channel that is not a hop nearer";
    return "";
}

void check_steps(const NetworkGraph& graph, const Routing& routing, unsigned vcs, RouteLeg leg, const Place& place) {
    for (unsigned r = 0; r < graph.routers.size(); ++r)
        for (unsigned t = 0; t < graph.routers.size(); ++t) {
            if (r == t || routing.hops(r, t) == kNoWay) continue;
            const std::vector<RouteStep> steps = routing.steps(r, t, leg);
            std::string fault = steps.empty() ? "has no step" : "";
            for (const RouteStep& step : steps)
                if (fault.empty()) fault = step_fault(graph, routing, vcs, step, r, t);
            if (!fault.empty())
                throw ConfigError(place, fmt::format("at {} a packet to {} {}; every step must lead a hop nearer on "
                                                     "virtual channels that there are",
                                                     graph.routers[r], graph.routers[t], fault));
        }
}

} // namespace

namespace {
std::vector<HeldChannel> from_lowest(std::vector<HeldChannel> circle) {
    const auto first = std::min_element(circle.begin(), circle.end(),
                                        [](HeldChannel a, HeldChannel b) { return a.channel < b.channel; });
    std::rotate(circle.begin(), first, circle.end());
    return circle;
}
} // namespace

std::vector<HeldChannel> find_circle(const NetworkGraph& graph, const Routing& routing) {
    return from_lowest(DependencyWalk(graph, routing).circle());
}

std::vector<HeldChannel> find_circle(const NetworkGraph& graph, const Routing& routing, const PacketClass& packets) {
    return from_lowest(DependencyWalk(graph, routing).circle(packets));
}

void check_routing(const NetworkGraph& graph, const Routing& routing, unsigned vcs, const Place& place) {
    check_steps(graph, routing, vcs, RouteLeg::to_destination, place);
    check_steps(graph, routing, vcs, RouteLeg::to_intermediate, place);
    const std::vector<HeldChannel> circle = find_circle(graph, routing);
    if (!circle.empty())
        throw ConfigError(place, fmt::format("packets may wait for each other in a circle: {}; routing without such a "
                                             "circle is expected",
                                             circle_text(graph, circle)));
}

} // namespace numavp
