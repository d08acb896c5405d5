#include "tlm-links/topology/graph/channel_index.h"

#include <algorithm>

namespace numavp {

ChannelIndex::ChannelIndex(const NetworkGraph& graph) : begin_(graph.routers.size() + 1) {
    hops_.reserve(graph.channels.size());
    const std::vector<std::vector<unsigned>> leaving = graph.leaving_by_router();
    for (unsigned r = 0; r < leaving.size(); ++r) {
        const auto first = static_cast<std::ptrdiff_t>(hops_.size());
        for (const unsigned c : leaving[r]) hops_.push_back({graph.channels[c].to, c});
        std::stable_sort(hops_.begin() + first, hops_.end(), [](Hop a, Hop b) { return a.to < b.to; });
        begin_[r + 1] = static_cast<unsigned>(hops_.size());
    }
}

void ChannelIndex::add_steps(unsigned from, unsigned to, VcRange vcs, std::vector<RouteStep>& steps) const {
    const auto end = hops_.begin() + begin_[from + 1];
    auto hop = std::lower_bound(hops_.begin() + begin_[from], end, to, [](Hop h, unsigned r) { return h.to < r; });
    for (; hop != end && hop->to == to; ++hop) steps.push_back({hop->channel, vcs});
}

} // namespace numavp
