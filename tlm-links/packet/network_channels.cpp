// Channels that are more than wires: with a format, which adds to packets, with errors, or with a relay.
#include <algorithm>
#include <tuple>

#include "tlm-links/packet/network_core.h"

namespace numavp {

namespace {
/// Name by which a channel draws its errors: its ends, and its number among parallel ones.
std::string stream_of(const NetworkGraph& graph, std::uint32_t number) {
    const NetworkChannel& channel = graph.channels[number];
    unsigned parallel = 0;
    for (std::uint32_t before = 0; before < number; ++before)
        parallel += graph.channels[before].from == channel.from && graph.channels[before].to == channel.to ? 1 : 0;
    return graph.routers[channel.from] + " to " + graph.routers[channel.to] + " " + std::to_string(parallel);
}
} // namespace

/// The overhead of a packet goes before its head: later flits of any packet follow behind it.
void NetworkCore::leave_dressed(unsigned router, const RouterCore::Sent& flit, PortPlace& to, Cycle arrives) {
    const NetworkChannel& channel = graph_.channels[to.channel];
    ++to.flits;
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
    if (!lossy_of_.empty() && lossy_of_[to.channel] != kNone) {
        send_lossy(lossy_[lossy_of_[to.channel]], flit, arrives);
    } else if (cut_of_.empty() || cut_of_[to.channel] == kNone) {
        slot_at(to.ring, arrives)
            .flits.push(
                {static_cast<std::uint16_t>(to.place), to.port, flit.out_vc, flit.head ? flit.packet : kNoPacket});
    } else if (flit.tail) {
        CutChannel& cut = cuts_[cut_of_[to.channel]];
        const Packet& packet = packets_[flit.packet];
        cut.inside[packet.message_class].push_back({flit.packet, flit.out_vc});
        cut.relay->take(packet.message_class, packet.tag);
    }
}

void NetworkCore::make_lossy() {
    for (std::uint32_t c = 0; c < graph_.channels.size(); ++c) {
        const NetworkChannel& channel = graph_.channels[c];
        if (!lossy_kind(channel.link)) continue;
        lossy_of_.resize(graph_.channels.size(), std::uint32_t{kNone});
        lossy_of_[c] = static_cast<std::uint32_t>(lossy_.size());
        lossy_.emplace_back(config_.errors[channel.link], channel, c, stream_of(graph_, c));
    }
}

void NetworkCore::send_lossy(LossyChannel& channel, const RouterCore::Sent& flit, Cycle arrives) {
    channel.send(now_, arrives, flit.out_vc, flit.head ? flit.packet : kNoPacket);
    if (channel.last().errors == 0) return;
    replays_.push_back(channel.last());
    if (Cycle at = 0; channel.wears_lane(at)) worn_.emplace_back(channel.number(), at);
}

/// Flits that arrive in this cycle; and outputs close while their channel sends flits again or its retry buffer is
/// full.
void NetworkCore::run_lossy() {
    replays_.clear();
    for (LossyChannel& channel : lossy_) {
        const NetworkChannel& ends = graph_.channels[channel.number()];
        RouterCore& router = routers_[ends.from];
        const unsigned port = channel_port_[channel.number()];
        if (const Cycle free = channel.free_at(now_); free > now_ && free > router.free_at(port))
            router.hold_until(port, free);
        if (const LossyChannel::Flight* flit = channel.arriving(now_)) {
            slot_at(place_of_channel(channel.number()).ring, now_)
                .flits.push({static_cast<std::uint16_t>(ends.to), channel_port_[ends.reverse], flit->vc, flit->packet});
            channel.pop();
        }
    }
}

bool NetworkCore::take_worn(unsigned& channel, Cycle& at) {
    if (worn_.empty()) return false;
    std::tie(channel, at) = worn_.back();
    worn_.pop_back();
    return true;
}

void NetworkCore::set_interval(unsigned channel, std::uint32_t interval) {
    routers_[graph_.channels[channel].from].change_interval(channel_port_[channel], interval);
    if (!lossy_of_.empty() && lossy_of_[channel] != kNone) lossy_[lossy_of_[channel]].set_interval(interval);
}

void NetworkCore::cut(unsigned channel, PacketRelay& relay) {
    PortPlace& to = place_of_channel(channel);
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
    slot_at(cut.to.ring, now_ + RouterCore::kStages - 2 + cut.to.latency) // the router's last stages, as without a cut
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
