#include "tlm-links/packet/adaptive_entry.h"

#include "base/values/error.h"

namespace numavp {

AdaptiveEntry::AdaptiveEntry(const NetworkGraph& graph, const Routing& routing, unsigned endpoint, Rng rng)
    : graph_(graph), first_(graph.endpoints[endpoint].terminals.front()), ways_(graph.routers.size()), rng_(rng) {
    std::vector<bool> receives(graph.routers.size(), false);
    for (const NetworkTerminal& t : graph.terminals) receives[t.router] = true;
    for (unsigned router = 0; router < ways_.size(); ++router) {
        if (!receives[router]) continue;
        for (const unsigned terminal : routing.entries(endpoint, router))
            ways_[router].push_back({terminal, routing.hops(graph.terminals[terminal].router, router) + 1});
    }
}

unsigned AdaptiveEntry::choose(const Request& request, const std::vector<unsigned>& room, unsigned most) {
    std::uint64_t least = ~std::uint64_t{0};
    unsigned shortest = 0;
    equal_.clear();
    for (const Way& way : ways_[graph_.terminals[request.target].router]) {
        const unsigned free = room[way.terminal - first_];
        if (free < request.flits) continue;
        const std::uint64_t cost = std::uint64_t{way.routers} * (most - free);
        if (cost > least || (cost == least && way.routers > shortest)) continue;
        if (cost < least || way.routers < shortest) equal_.clear();
        least = cost;
        shortest = way.routers;
        equal_.push_back(way.terminal);
    }
    if (equal_.empty()) return kNone;
    return equal_.size() == 1 ? equal_.front() : equal_[rng_.below(equal_.size())];
}

unsigned AdaptiveEntry::send(const Request& request, const std::vector<unsigned>& room, unsigned most) {
    const Key key{request.line, graph_.terminals[request.target].endpoint};
    const auto found = flows_.find(key);
    if (found == flows_.end()) {
        const unsigned terminal = choose(request, room, most);
        if (terminal == kNone) return kNone;
        Flow& flow = flows_[key];
        flow.terminal = terminal;
        ++flow.requests;
        return terminal;
    }
    Flow& flow = found->second;
    if (room[flow.terminal - first_] < request.flits) return kNone;
    ++flow.requests;
    return flow.terminal;
}

void AdaptiveEntry::answered(std::uint64_t line, unsigned from) {
    const auto flow = flows_.find({line, graph_.terminals[from].endpoint});
    if (flow == flows_.end()) throw ModelError("a response came of a line of which no request is on its way");
    if (--flow->second.requests == 0) flows_.erase(flow);
}

} // namespace numavp
