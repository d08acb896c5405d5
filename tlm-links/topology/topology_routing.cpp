#include "tlm-links/topology/topology_routing.h"

#include <algorithm>

namespace numavp {

VcRange lower_half(VcRange range) { return {range.first, range.first + (range.end - range.first) / 2}; }
VcRange upper_half(VcRange range) { return {range.first + (range.end - range.first) / 2, range.end}; }

TopologyRouting::TopologyRouting(const NetworkGraph& graph, const TopologySpec& spec)
    : channels_(graph), entry_(spec.entry), routers_per_processor_(spec.routers_per_processor),
      virtual_channels_(spec.virtual_channels), ugal_(spec.routing == RoutingKind::ugal) {
    for (const NetworkEndpoint& e : graph.endpoints) {
        Endpoint endpoint{{}, false};
        for (const unsigned t : e.terminals) endpoint.all.push_back({t, graph.terminals[t].router});
        for (const Entry& entry : endpoint.all) endpoint.chooses |= entry.router != endpoint.all.front().router;
        endpoints_.push_back(std::move(endpoint));
    }
}

VcRange TopologyRouting::vcs(RouteLeg leg) const {
    const VcRange all{0, virtual_channels_};
    if (!ugal_) return all;
    return leg == RouteLeg::to_intermediate ? lower_half(all) : upper_half(all);
}

std::vector<unsigned> TopologyRouting::intermediates(unsigned router, unsigned target) const {
    std::vector<unsigned> found;
    if (!ugal_) return found;
    for (unsigned r = 0; r < channels_.routers(); ++r)
        if (r != router && r != target && hops(router, r) != kNoWay && hops(r, target) != kNoWay) found.push_back(r);
    return found;
}

std::vector<unsigned> TopologyRouting::nearest(const Endpoint& endpoint, unsigned target) const {
    unsigned fewest = kNoWay;
    for (const Entry& entry : endpoint.all) fewest = std::min(fewest, hops(entry.router, target));
    std::vector<unsigned> found;
    if (fewest == kNoWay) return found;
    for (const Entry& entry : endpoint.all)
        if (hops(entry.router, target) == fewest) found.push_back(entry.terminal);
    return found;
}

std::vector<unsigned> TopologyRouting::entries(unsigned endpoint, unsigned target) const {
    const Endpoint& e = endpoints_[endpoint];
    if (e.chooses && entry_ == EntryKind::nearest) return nearest(e, target);
    const bool any = !e.chooses || entry_ == EntryKind::random;
    std::vector<unsigned> found;
    for (const Entry& entry : e.all)
        if (any || entry.router % routers_per_processor_ == target % routers_per_processor_)
            found.push_back(entry.terminal);
    return found;
}

} // namespace numavp
