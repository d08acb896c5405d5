#include "tlm-links/topology/graph/overlay.h"

#include "base/values/error.h"

namespace numavp {

namespace {
/// The first channel from `from` to `to`.
unsigned channel_between(const NetworkGraph& graph, unsigned from, unsigned to) {
    for (unsigned c = 0; c < graph.channels.size(); ++c)
        if (graph.channels[c].from == from && graph.channels[c].to == to) return c;
    throw ModelError("no channel from " + graph.routers[from] + " to " + graph.routers[to] + " for an overlay");
}
} // namespace

OverlayRouting::OverlayRouting(const Overlay& overlay, const NetworkGraph& graph, std::unique_ptr<Routing> others)
    : places_(graph.routers.size()), first_(overlay.chains.front().front()), others_(std::move(others)) {
    pass_through_.virtual_channel = overlay.virtual_channel;
    pass_through_.cycles = overlay.cycles;
    for (unsigned c = 0; c < overlay.chains.size(); ++c) {
        const std::vector<unsigned>& chain = overlay.chains[c];
        std::vector<unsigned>& out = out_.emplace_back();
        for (unsigned i = 0; i + 1 < chain.size(); ++i) {
            places_[chain[i + 1]] = {c, i + 1};
            const unsigned there = channel_between(graph, chain[i], chain[i + 1]);
            out.push_back(there);
            out.push_back(graph.channels[there].reverse);
            if (i == 0) continue;
            pass_through_.passes.push_back({out[2 * i - 2], out[2 * i]});
            pass_through_.passes.push_back({out[2 * i + 1], out[2 * i - 1]});
        }
    }
}

bool OverlayRouting::overlaid(unsigned from, unsigned to) const {
    if (from == to || (from != first_ && to != first_)) return false;
    const Place place = places_[from == first_ ? to : from];
    return place.chain != kOff && place.position > 1;
}

std::vector<RouteStep> OverlayRouting::steps(unsigned router, unsigned target, RouteLeg leg) const {
    if (leg == RouteLeg::to_destination) return others_->steps(router, target, leg);
    const Place to = places_[target], here = places_[router];
    const unsigned chain = target == first_ ? here.chain : to.chain;
    const bool on_it = router == first_ || here.chain == chain;
    if (router == target || chain == kOff || !on_it) return {};
    const unsigned at = router == first_ ? 0 : here.position, end = target == first_ ? 0 : to.position;
    const unsigned channel = end > at ? out_[chain][2 * at] : out_[chain][2 * at - 1];
    return {{channel, {pass_through_.virtual_channel, pass_through_.virtual_channel + 1}}};
}

} // namespace numavp
