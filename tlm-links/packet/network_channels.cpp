// Channels that are more than wires: with a format, which adds to packets, or with a relay.
#include <algorithm>

#include "tlm-links/packet/network_core.h"

namespace numavp {

/// The overhead of a packet goes before its head: later flits of any packet follow behind it.
void NetworkCore::leave_dressed(unsigned router, const RouterCore::Sent& flit, const PortPlace& to, Cycle arrives) {
    const NetworkChannel& channel = graph_.channels[to.channel];
    ++channel_flits_[to.channel];
    if (flit.head && !channel.format.plain()) {
        const Packet& packet = packets_[flit.packet];
        const unsigned given = bytes_[flit.packet];
        const unsigned bytes = given != 0 ? given : packet.flits * channel.format.flit_bytes;
        const std::int64_t extra = channel.format.extra(bytes, packet.flits);
        const std::uint32_t interval = routers_[router].interval(flit.out_port); // as its lanes face now
        routers_[router].hold(flit.out_port, WireFormat::time(extra, interval));
        channel_extra_[to.channel] += extra;
        arrives += WireFormat::delay_cycles(extra, std::min(interval, channel.interval));
    }
    if (cut_of_.empty() || cut_of_[to.channel] == kNone) {
        slot_at(arrives).flits.push(
            {static_cast<std::uint16_t>(to.place), to.port, flit.out_vc, flit.head ? flit.packet : kNoPacket});
    } else if (flit.tail) {
        CutChannel& cut = cuts_[cut_of_[to.channel]];
        const Packet& packet = packets_[flit.packet];
        cut.inside[packet.message_class].push_back({flit.packet, flit.out_vc});
        cut.relay->take(packet.message_class, packet.tag);
    }
}

void NetworkCore::cut(unsigned channel, PacketRelay& relay) {
    PortPlace& to = places_[first_port_[graph_.channels[channel].from] + channel_port_[channel]];
    to.kind = PortPlace::Kind::dressed;
    cut_of_.resize(graph_.channels.size(), std::uint32_t{kNone});
    cut_of_[channel] = static_cast<std::uint32_t>(cuts_.size());
    cuts_.push_back({&relay, to, std::vector<std::deque<CutChannel::Inside>>(config_.classes), {}, 0});
}

void NetworkCore::run(CutChannel& cut) {
    cut.relay->edge();
    for (unsigned c = 0; c < config_.classes; ++c)
        while (cut.relay->pop(c)) {
            cut.out.push_back(cut.inside[c].front());
            cut.inside[c].pop_front();
        }
    if (cut.out.empty()) return;
    const CutChannel::Inside& first = cut.out.front();
    slot_at(now_ + RouterCore::kStages - 2 + cut.to.latency) // the router's last stages, as without a cut
        .flits.push({static_cast<std::uint16_t>(cut.to.place), cut.to.port, first.vc,
                     cut.sent == 0 ? first.packet : kNoPacket});
    if (++cut.sent < packets_[first.packet].flits) return;
    cut.sent = 0;
    cut.out.pop_front();
}

bool NetworkCore::relays_at_rest() const {
    return std::all_of(cuts_.begin(), cuts_.end(), [](const CutChannel& cut) { return cut.at_rest(); });
}

} // namespace numavp
