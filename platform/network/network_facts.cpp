#include "platform/network/network_facts.h"

#include <algorithm>
#include <queue>

#include "platform/network/traffic.h"

namespace numavp {

std::vector<RouterPorts> router_ports(const NetworkGraph& graph) {
    std::vector<RouterPorts> ports(graph.routers.size());
    for (const NetworkChannel& c : graph.channels) ++ports[c.from].channels;
    for (const NetworkTerminal& t : graph.terminals) {
        RouterPorts& at = ports[t.router];
        ++(graph.endpoints[t.endpoint].requester ? at.requesters : at.others);
    }
    return ports;
}

namespace {

/// Destinations of requests: those that answer only, or, among nodes, all of them.
std::vector<const NetworkEndpoint*> destinations_of(const NetworkGraph& graph) {
    std::vector<const NetworkEndpoint*> found;
    for (const NetworkEndpoint& e : graph.endpoints)
        if (!e.requester) found.push_back(&e);
    if (found.empty())
        for (const NetworkEndpoint& e : graph.endpoints) found.push_back(&e);
    return found;
}

/// A mean that grows.
struct FactMean {
    double sum = 0, weight = 0;
    void add(double value, double w) {
        sum += value * w;
        weight += w;
    }
    double value() const { return weight > 0 ? sum / weight : 0; }
};

void measure_ways(const NetworkSystem& system, unsigned flits, NetworkFacts& facts) {
    const NetworkGraph& graph = system.topology.graph;
    const Routing& routing = *system.topology.routing;
    FactMean hops, own, others;
    for (unsigned from = 0; from < graph.endpoints.size(); ++from) {
        if (!graph.endpoints[from].requester) continue;
        for (const NetworkEndpoint* to : destinations_of(graph)) {
            const unsigned exit = to->terminals.front(); // an endpoint that is a destination is at one router
            const std::vector<unsigned> entries = routing.entries(from, graph.terminals[exit].router);
            for (const unsigned entry : entries) {
                const IdleWay way = idle_way(graph, routing, entry, exit, flits);
                const double weight = 1.0 / static_cast<double>(entries.size());
                hops.add(way.routers - 1, weight);
                facts.largest_hops = std::max(facts.largest_hops, way.routers - 1);
                (to->cluster == graph.endpoints[from].cluster ? own : others).add(way.cycles, weight);
            }
        }
    }
    facts.mean_hops = hops.value();
    facts.own_cycles = own.value();
    facts.other_cycles = others.value();
}

constexpr unsigned kNoChannel = ~0U;

/// Channels by which a search from all routers of side 0 reached each router, and the first router of side 1 that it
/// found; `free` says how often each channel can still be taken.
struct CutSearch {
    std::vector<unsigned> by;
    unsigned end = kNoChannel;
};
CutSearch search_across(const NetworkGraph& graph, const std::vector<std::vector<unsigned>>& leaving,
                        const std::vector<unsigned>& side, const std::vector<unsigned>& free) {
    CutSearch search{std::vector<unsigned>(side.size(), kNoChannel)};
    std::vector<bool> seen(side.size(), false);
    std::queue<unsigned> next;
    for (unsigned r = 0; r < side.size(); ++r)
        if (side[r] == 0) {
            seen[r] = true;
            next.push(r);
        }
    for (; !next.empty(); next.pop())
        for (const unsigned c : leaving[next.front()]) {
            const unsigned to = graph.channels[c].to;
            if (seen[to] || free[c] == 0) continue;
            seen[to] = true;
            search.by[to] = c;
            next.push(to);
            if (side[to] != 1) continue;
            search.end = to;
            return search;
        }
    return search;
}

/// The most channels by which disjoint ways lead from routers of side 0 to those of side 1 (Edmonds and Karp); routers
/// of side 2 are on neither.
unsigned least_cut(const NetworkGraph& graph, const std::vector<unsigned>& side) {
    unsigned ways = 0;
    std::vector<unsigned> free(graph.channels.size(), 1);
    for (unsigned c = 0; c < graph.channels.size(); ++c)
        if (side[graph.channels[c].from] == 0 && side[graph.channels[c].to] == 1) {
            ++ways;
            free[c] = 0;
        }
    const auto leaving = graph.leaving_by_router();
    for (;; ++ways) {
        const CutSearch found = search_across(graph, leaving, side, free);
        if (found.end == kNoChannel) return ways;
        for (unsigned r = found.end; found.by[r] != kNoChannel; r = graph.channels[found.by[r]].from) {
            --free[found.by[r]];
            ++free[graph.channels[found.by[r]].reverse];
        }
    }
}

unsigned count_bisection(const NetworkGraph& graph) {
    unsigned clusters = 0;
    for (const NetworkEndpoint& e : graph.endpoints) clusters = std::max(clusters, e.cluster + 1);
    std::vector<unsigned> side(graph.routers.size(), 2);
    for (const NetworkTerminal& t : graph.terminals)
        if (side[t.router] == 2) side[t.router] = graph.endpoints[t.endpoint].cluster < clusters / 2 ? 0 : 1;
    return least_cut(graph, side);
}

} // namespace

NetworkFacts network_facts(const NetworkSystem& system, unsigned packet_bytes) {
    NetworkFacts facts;
    facts.bisection_channels = count_bisection(system.topology.graph);
    measure_ways(system, system.flits(packet_bytes), facts);
    return facts;
}

} // namespace numavp
