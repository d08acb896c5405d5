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

void TurningChannels::retire(unsigned channel, Cycle at, Cycle retrain_cycles) {
    if (turns(channel)) retirements_.push_back({channel, at, retrain_cycles});
}

/// Flits that have left the router pass; then the channel rests while it goes over to fewer lanes. The next cycle in
/// which a lane is retired, or kNever.
Cycle TurningChannels::retire_due(Cycle now) {
    Cycle next = kNever;
    std::vector<std::pair<unsigned, Cycle>>
        rests; // channels that go over now, however many lanes they lose, and its end
    for (const Retirement& due : retirements_) {
        if (due.at > now) {
            next = std::min(next, due.at);
            continue;
        }
        Pair& pair = pairs_[of_channel_[due.channel].pair];
        if (!pair.turner.retire(of_channel_[due.channel].way, now)) continue;
        pair.due = now;
        const Cycle end = std::max(now, core_.channel_free_at(due.channel)) + due.retrain_cycles;
        const auto known =
            std::find_if(rests.begin(), rests.end(), [&](const auto& rest) { return rest.first == due.channel; });
        if (known == rests.end())
            rests.emplace_back(due.channel, end);
        else
            known->second = std::max(known->second, end);
    }
    for (const auto& [channel, end] : rests) core_.pause(channel, end);
    retirements_.erase(std::remove_if(retirements_.begin(), retirements_.end(),
                                      [now](const Retirement& one) { return one.at <= now; }),
                       retirements_.end());
    return next;
}

unsigned TurningChannels::retired() const {
    unsigned sum = 0;
    for (const Pair& pair : pairs_) sum += pair.turner.retired();
    return sum;
}

Cycle TurningChannels::act(Cycle now) {
    Cycle next = retire_due(now);
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
