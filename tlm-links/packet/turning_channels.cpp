#include "tlm-links/packet/turning_channels.h"

#include <algorithm>

namespace numavp {

TurningChannels::TurningChannels(NetworkCore& core, const NetworkGraph& graph, const std::vector<ChannelLanes>& kinds)
    : core_(core), of_channel_(graph.channels.size()) {
    for (unsigned c = 0; c < graph.channels.size(); ++c) {
        const NetworkChannel& channel = graph.channels[c];
        if (channel.reverse < c || channel.link >= kinds.size() || !kinds[channel.link].any()) continue;
        const LaneTurnerConfig& config = kinds[channel.link].turner;
        of_channel_[c] = {static_cast<unsigned>(pairs_.size()), LaneWay::out};
        of_channel_[channel.reverse] = {static_cast<unsigned>(pairs_.size()), LaneWay::in};
        pairs_.emplace_back(*this, c, channel.reverse, std::uint64_t{channel.interval} * config.wired.out, config);
    }
}

void TurningChannels::Pair::set_lanes(LaneWay way, unsigned lanes) {
    owner.core_.set_interval(of(way), static_cast<std::uint32_t>((interval + lanes / 2) / lanes));
}

void TurningChannels::Pair::lanes_changed(Cycle now) {
    if (owner.hook_) owner.hook_(channel[0], now, turner.lanes());
}

Cycle TurningChannels::launch(Cycle now) {
    Cycle next = kNever;
    for (Pair& pair : pairs_) next = std::min(next, pair.due = pair.turner.launch(now));
    return next;
}

void TurningChannels::rest() {
    for (Pair& pair : pairs_) pair.turner.rest();
}

Cycle TurningChannels::act(Cycle now) {
    Cycle next = kNever;
    for (Pair& pair : pairs_) {
        if (pair.due <= now) pair.due = pair.turner.act(now);
        next = std::min(next, pair.due);
    }
    return next;
}

unsigned TurningChannels::lanes(unsigned channel) const {
    const LaneSplit split = pair_of(channel).turner.lanes();
    return of_channel_[channel].way == LaneWay::out ? split.out : split.in;
}

std::uint64_t TurningChannels::lane_cycles(unsigned channel, Cycle now) const {
    return pair_of(channel).turner.lane_cycles(of_channel_[channel].way, now);
}

std::uint64_t TurningChannels::turned(unsigned channel) const { return pair_of(channel).turner.turns(); }

} // namespace numavp
