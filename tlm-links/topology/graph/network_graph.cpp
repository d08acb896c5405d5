#include "tlm-links/topology/graph/network_graph.h"

namespace numavp {

unsigned NetworkGraph::connect(unsigned a, unsigned b, const Channel& both) {
    const auto first = static_cast<unsigned>(channels.size());
    channels.push_back(
        {a, b, both.latency_cycles, first + 1, both.interval, both.link, both.buffer_flits, both.format});
    channels.push_back({b, a, both.latency_cycles, first, both.interval, both.link, both.buffer_flits, both.format});
    return first;
}

unsigned NetworkGraph::attach(unsigned endpoint, unsigned router, unsigned latency_cycles) {
    const auto index = static_cast<unsigned>(terminals.size());
    terminals.push_back({endpoint, router, latency_cycles});
    endpoints[endpoint].terminals.push_back(index);
    return index;
}

std::vector<unsigned> NetworkGraph::leaving(unsigned router) const {
    std::vector<unsigned> found;
    for (unsigned c = 0; c < channels.size(); ++c)
        if (channels[c].from == router) found.push_back(c);
    return found;
}

std::vector<std::vector<unsigned>> NetworkGraph::leaving_by_router() const {
    std::vector<std::vector<unsigned>> found(routers.size());
    for (unsigned c = 0; c < channels.size(); ++c) found[channels[c].from].push_back(c);
    return found;
}

BestWays NetworkGraph::best_ways() const {
    std::vector<WayLink> links;
    for (const NetworkChannel& c : channels)
        links.push_back(
            {c.from, c.to,
             link_speeds.empty() ? static_cast<double>(NetworkChannel::kCycle) / c.interval : link_speeds[c.link]});
    return {transit.empty() ? std::vector<Transit>(routers.size(), Transit::router) : transit, links};
}

unsigned NetworkGraph::ports(unsigned router) const {
    auto count = static_cast<unsigned>(leaving(router).size());
    for (const NetworkTerminal& t : terminals) count += t.router == router ? 1 : 0;
    return count;
}

} // namespace numavp
