#include "tlm-links/packet/channels_towards.h"

#include <algorithm>

namespace numavp {

ChannelsTowards::ChannelsTowards(const NetworkGraph& graph, unsigned endpoint, const std::vector<ChannelLanes>& kinds) {
    const std::vector<unsigned>& terminals = graph.endpoints[endpoint].terminals;
    for (unsigned c = 0; c < graph.channels.size(); ++c) {
        const NetworkChannel& channel = graph.channels[c];
        if (std::none_of(terminals.begin(), terminals.end(),
                         [&](unsigned t) { return graph.terminals[t].router == channel.to; }))
            continue;
        const unsigned lanes = channel.link < kinds.size() ? kinds[channel.link].turner.wired.out : 0;
        channels_.push_back({c, channel.interval, lanes, channel.format});
    }
}

double ChannelsTowards::flits(double cycles, const TurningChannels& turning) const {
    double sum = 0;
    for (const Channel& c : channels_) {
        const double facing = c.lanes != 0 ? static_cast<double>(turning.lanes(c.number)) / c.lanes : 1.0;
        sum += cycles * NetworkChannel::kCycle / c.interval * facing;
    }
    return sum;
}

std::uint64_t ChannelsTowards::wire_bytes(std::uint64_t packet, unsigned flit_bytes) const {
    std::uint64_t most = 0;
    for (const Channel& c : channels_) {
        WireFormat format = c.format;
        format.flit_bytes = flit_bytes;
        most = std::max<std::uint64_t>(most, format.wire_bytes(static_cast<unsigned>(packet)));
    }
    return most;
}

} // namespace numavp
