#include "tlm-links/packet/packet_network.h"

#include <algorithm>

namespace numavp {

namespace {
/// Most routers on a minimal way between two endpoints, up to kMostHopClasses.
unsigned longest_way(const NetworkGraph& graph, const Routing& routing) {
    constexpr std::size_t kMostAsked = 256; // terminals: each pair is asked
    if (graph.terminals.size() > kMostAsked) return PacketNetwork::kMostHopClasses;
    unsigned longest = 1;
    for (const NetworkTerminal& from : graph.terminals)
        for (const NetworkTerminal& to : graph.terminals)
            if (const unsigned hops = routing.hops(from.router, to.router); hops != kNoWay)
                longest = std::max(longest, hops + 1);
    return std::min(longest, PacketNetwork::kMostHopClasses);
}
} // namespace

PacketNetwork::PacketNetwork(sc_core::sc_module_name name, const NetworkGraph& graph, const Routing& routing,
                             const PacketNetworkConfig& config, ClockDomain& domain)
    : sc_module(name), graph_(graph), config_(config), domain_(domain), core_(graph, routing, config.core),
      stepper_(*this, domain), channels_(core_, graph, config.lanes), turner_(*this, domain),
      by_routers_(longest_way(graph, routing) + 1) {
    for (unsigned t = 0; t < graph.terminals.size(); ++t)
        terminals_.push_back(std::make_unique<PacketTargetPort>(("terminal" + std::to_string(t)).c_str(), domain,
                                                                static_cast<PacketOwner&>(*this), t));
    for (const PacketNetworkConfig::RetiredLane& lane : config.retired)
        channels_.retire(lane.channel, lane.at, lane.retrain_cycles);
    if (!config.retired.empty() || config.detour) turner_.start();
    if (!config.relay) return;
    for (unsigned c = 0; c < graph.channels.size(); ++c) {
        relays_.push_back(config.relay(graph.channels[c]));
        if (relays_.back()) core_.cut(c, *relays_.back());
    }
}

PacketNetwork::~PacketNetwork() = default;

void PacketNetwork::packet(unsigned port, PacketPayload& packet) {
    incoming_.push_back({domain_.now() + 1, port, &packet, 0, 0});
    stepper_.wake_at(domain_.now() + 1);
}

void PacketNetwork::credit(unsigned port, unsigned vc, unsigned flits) {
    incoming_.push_back({domain_.now() + 1, port, nullptr, vc, flits});
    stepper_.wake_at(domain_.now() + 1);
}

void PacketNetwork::take_in() {
    const Cycle now = domain_.now();
    for (; !incoming_.empty() && incoming_.front().edge <= now; incoming_.pop_front()) {
        const Incoming& in = incoming_.front();
        if (in.packet == nullptr)
            core_.credit_ejection(in.port, in.vc, in.flits);
        else
            core_.offer({in.port, in.packet->to, in.packet->flits, in.packet->message_class, in.packet->order,
                         reinterpret_cast<std::uint64_t>(in.packet), in.packet->bytes},
                        now);
    }
}

/// Gives packets that enter from now on the ways around what has failed, if that is due. Returns when it is due.
Cycle PacketNetwork::reroute_due() {
    if (!config_.detour || rerouted_) return kNever;
    if (domain_.now() < config_.detour_at) return config_.detour_at;
    core_.reroute(*config_.detour);
    rerouted_ = true;
    return kNever;
}

void PacketNetwork::note_replays() {
    for (const FlitReplay& replay : core_.replays())
        if (replay_hook_) replay_hook_(replay);
    unsigned channel = 0;
    Cycle at = 0;
    while (core_.take_worn(channel, at)) {
        channels_.retire(channel, at, config_.core.errors[graph_.channels[channel].link].retrain_cycles);
        turner_.wake_at(at);
    }
}

void PacketNetwork::step() {
    core_.skip_to(domain_.now());
    take_in();
    if (core_.groups() == 1) {
        core_.step();
    } else {
        core_.begin_step();
        domain_.clockwork().share_out(step_group_);
        core_.end_step();
    }
    if (!core_.replays().empty()) note_replays();
    for (unsigned group = 0; group < core_.groups(); ++group) hand_over(group);
    if (!core_.idle() || !core_.relays_at_rest()) stepper_.wake_at(domain_.now() + 1);
}

/// What has left the terminals' queues, and what has arrived.
void PacketNetwork::hand_over(unsigned group) {
    const Cycle next = domain_.now() + 1;
    for (const PacketIndex index : core_.departures(group)) {
        const NetworkCore::Packet& left = core_.packet(index);
        terminals_[left.source]->send_credit(left.message_class, left.flits, next);
    }
    for (const NetworkCore::Arrival& arrival : core_.arrivals(group)) {
        const NetworkCore::Packet& arrived = core_.packet(arrival.packet);
        auto& packet = *reinterpret_cast<PacketPayload*>(arrived.tag); // NOLINT(performance-no-int-to-ptr): as offered
        packet.virtual_channel = arrived.eject_vc;
        packet.routers = arrived.routers;
        ++packets_;
        flits_ += arrived.flits;
        routers_passed_ += packet.routers;
        const std::uint64_t ps = domain_.edge_ps(next) - packet.sent_ps;
        latency_ps_ += ps;
        OfRouters& alike = by_routers_[std::min<std::size_t>(packet.routers, by_routers_.size() - 1)];
        ++alike.packets;
        alike.latency_ps += ps;
        terminals_[arrived.target]->send(packet, next);
        core_.release(arrival.packet);
    }
}

std::string PacketNetwork::waiting_for() const {
    if (core_.idle()) return "";
    const std::string circle = core_.circle();
    return circle.empty() ? std::to_string(core_.in_flight()) + " packets to arrive" : circle;
}

std::string PacketNetwork::disagreement() {
    for (unsigned c = 0; c < relays_.size(); ++c) {
        const std::string breach = relays_[c] ? relays_[c]->disagreement() : "";
        if (breach.empty()) continue;
        return "the channel from " + graph_.routers[graph_.channels[c].from] + " to " +
               graph_.routers[graph_.channels[c].to] + " " + breach;
    }
    return "";
}

} // namespace numavp
