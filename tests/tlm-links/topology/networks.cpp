#include "networks.h"

namespace numavp::test {

double mean_routers(const Topology& topology) {
    const NetworkGraph& graph = topology.graph;
    const bool has_cubes = !graph.endpoints.back().requester;
    double sum = 0;
    unsigned count = 0;
    for (unsigned from = 0; from < graph.endpoints.size(); ++from) {
        if (!graph.endpoints[from].requester) continue;
        for (const NetworkEndpoint& to : graph.endpoints) {
            if (has_cubes && to.requester) continue;
            const unsigned target = graph.terminals[to.terminals.front()].router;
            const std::vector<unsigned> entries = topology.routing->entries(from, target);
            double hops = 0;
            for (const unsigned t : entries) hops += topology.routing->hops(graph.terminals[t].router, target);
            sum += 1 + hops / static_cast<double>(entries.size());
            ++count;
        }
    }
    return sum / count;
}

} // namespace numavp::test
