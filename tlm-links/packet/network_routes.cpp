// Routes of packets: steps and virtual channels, UGAL's choice, and the passes of an overlay.
#include "base/values/error.h"
#include "tlm-links/packet/network_core.h"

namespace numavp {

namespace {
constexpr unsigned kDetourTable = 2; ///< of steps, behind those of the two legs
} // namespace

std::size_t NetworkCore::FlowHash::operator()(const FlowKey& key) const {
    const std::uint64_t ends = std::uint64_t{key.source} << 32 | key.target;
    return mix64(mix64(ends) + (std::uint64_t{key.order} << 8 | key.message_class));
}

const NetworkCore::StepList& NetworkCore::steps(unsigned router, unsigned target, RouteLeg leg, bool detours) {
    const unsigned table = detours ? kDetourTable : static_cast<unsigned>(leg);
    StepList& list = step_lists_[table][std::size_t{router} * graph_.routers.size() + target];
    if (list.first != kNone) return list;
    const std::vector<RouteStep> found = (detours ? *detour_ : routing_).steps(router, target, leg);
    if (found.empty())
        throw ModelError("there is no way from " + graph_.routers[router] + " to " + graph_.routers[target]);
    std::vector<RouterCore::Route>& pool = step_pool_[router];
    list.first = static_cast<std::uint32_t>(pool.size());
    list.count = static_cast<std::uint32_t>(found.size());
    for (const RouteStep& s : found)
        pool.push_back({channel_port_[s.channel], ((1U << (s.vcs.end - s.vcs.first)) - 1) << s.vcs.first});
    return list;
}

/// The one virtual channel of `vcs`, a row of them, that packets with this key take; all of them without a key.
std::uint32_t NetworkCore::in_order(std::uint32_t vcs, std::uint32_t order) const {
    if (order == 0) return vcs;
    const auto first = static_cast<unsigned>(__builtin_ctz(vcs));
    const unsigned count = 32 - static_cast<unsigned>(__builtin_clz(vcs)) - first;
    return std::uint32_t{1} << (first + order % count);
}

RouterCore::Route NetworkCore::draw(unsigned router, unsigned target, RouteLeg leg, const Packet& packet) {
    const StepList list = steps(router, target, leg, packet.detours);
    std::uint32_t chosen = 0;
    if (list.count > 1)
        chosen = packet.order != 0 ? (packet.order >> 16) % list.count // other bits than choose its virtual channel
                                   : static_cast<std::uint32_t>(draws_[router].below(list.count));
    const RouterCore::Route& step = step_pool_[router][list.first + chosen];
    return {step.port, in_order(step.vcs, packet.order) << (packet.message_class * config_.virtual_channels)};
}

const std::vector<unsigned>& NetworkCore::intermediates(unsigned router, unsigned target) {
    const auto [place, fresh] = intermediates_[router].try_emplace(target);
    if (fresh) place->second = routing_.intermediates(router, target);
    return place->second;
}

/// At a packet's first router: along an overlay, or as UGAL chooses. Of packets that must stay in order only the first
/// chooses: while one of them is under way, those behind it take the same route.
void NetworkCore::choose_leg(unsigned router, Packet& packet) {
    const unsigned target = graph_.terminals[packet.target].router;
    if (through_ != nullptr && routing_.overlaid(router, target)) {
        packet.via = target;
        packet.leg = RouteLeg::to_intermediate;
        return;
    }
    const std::size_t pair = std::size_t{router} * graph_.routers.size() + target;
    if (straight_[pair] != 0) return;
    const std::vector<unsigned>& others = intermediates(router, target);
    straight_[pair] = others.empty() ? 1 : 0;
    if (others.empty()) return;
    if (packet.order == 0) {
        packet.via = choose_via(router, packet, others);
    } else {
        Flow& flow = flows_[router][flow_of(packet)];
        if (flow.packets++ == 0) flow.via = choose_via(router, packet, others);
        packet.via = flow.via;
        packet.follows = true;
    }
    if (packet.via != kNone) packet.leg = RouteLeg::to_intermediate;
}

/// Decides by the queues of this router (Singh, "Load-balanced routing in interconnection networks", 2005: UGAL-L): by
/// way of a random router if hops times flits on that way are fewer, by more than the threshold.
unsigned NetworkCore::choose_via(unsigned router, const Packet& packet, const std::vector<unsigned>& others) {
    const unsigned target = graph_.terminals[packet.target].router;
    const std::uint64_t drawn = draws_[router].below(others.size() + 2);
    if (drawn >= others.size()) return kNone; // by way of this router, or of the target: that is the straight way
    const unsigned via = others[drawn];
    const RouterCore::Route straight = draw(router, target, RouteLeg::to_destination, packet);
    const RouterCore::Route around = draw(router, via, RouteLeg::to_intermediate, packet);
    const RouterCore& core = routers_[router];
    const std::uint64_t cost = std::uint64_t{routing_.hops(router, target)} * core.credits_in_use(straight.port);
    const std::uint64_t cost_around =
        std::uint64_t{routing_.hops(router, via) + routing_.hops(via, target)} * core.credits_in_use(around.port);
    return cost > cost_around + config_.ugal_threshold ? via : kNone;
}

RouterCore::Route NetworkCore::route(unsigned router, PacketIndex index) {
    Packet& packet = packets_[index];
    const unsigned target = graph_.terminals[packet.target].router;
    if (packet.routers++ == 0 && router != target && !packet.detours) choose_leg(router, packet);
    if (packet.via == router) {
        packet.via = kNone;
        packet.leg = RouteLeg::to_destination;
    }
    if (packet.via != kNone) return draw(router, packet.via, packet.leg, packet);
    if (router != target) return draw(router, target, packet.leg, packet);
    const std::uint32_t vcs = in_order((1U << config_.virtual_channels) - 1, packet.order);
    return {terminal_port_[packet.target], vcs << (packet.message_class * config_.virtual_channels)};
}

// --- other ways

void NetworkCore::reroute(const Routing& routing) {
    detour_ = &routing;
    step_lists_.resize(kDetourTable + 1);
    step_lists_[kDetourTable].resize(step_lists_[0].size());
    for (const Packet& packet : packets_)
        if (packet.entered && packet.order != 0) ++draining_[flow_of(packet)];
}

/// True if a packet must not enter yet: earlier ones of its flow are inside on the ways of before.
bool NetworkCore::waits_for_flow(const Packet& packet) const {
    return packet.order != 0 && draining_.count(flow_of(packet)) != 0;
}

// --- packets that pass routers

void NetworkCore::place_passes() {
    passing_.resize(places_.size());
    for (const PassThrough::Pass& p : through_->passes) {
        const NetworkChannel& in = graph_.channels[p.in];
        const unsigned router = in.to, out = channel_port_[p.out];
        // What is given the switch while a packet passes must come behind it.
        if (through_->cycles >= RouterCore::kStages - 2 + places_[first_port_[router] + out].latency)
            throw ModelError("a packet would pass no sooner than through a router's stages");
        routers_[router].allow_pass(out);
        passing_[first_port_[router] + channel_port_[in.reverse]].out = static_cast<std::uint8_t>(out);
    }
}

bool NetworkCore::begin_pass(Group& group, const FlitEvent& head, PassingInput& input) {
    Packet& packet = packets_[head.packet];
    if (graph_.terminals[packet.target].router == head.router) return false; // it has arrived
    const unsigned stages = RouterCore::kStages - 2 + places_[first_port_[head.router] + input.out].latency;
    // Flits that were given the switch before arrive `stages` later, and must do so before this one.
    const Cycle arrives = now_ + through_->cycles;
    const Cycle quiet_since = arrives > stages ? arrives - stages : 0;
    if (input.to_come != 0 ||
        !routers_[head.router].begin_pass(head.port, head.vc, input.out, packet.flits, quiet_since)) {
        ++group.refused_passes;
        return false;
    }
    ++group.passes;
    ++packet.routers;
    input.vc = head.vc;
    input.to_come = packet.flits;
    return true;
}

/// A flit that comes at a router goes straight on, if its packet passes.
bool NetworkCore::pass(Group& group, const FlitEvent& flit) {
    PassingInput& input = passing_[first_port_[flit.router] + flit.port];
    if (input.out == PassingInput::kNoOutput) return false;
    if (flit.vc % config_.virtual_channels != through_->virtual_channel) return false;
    if (flit.packet != kNoPacket) {
        if (!begin_pass(group, flit, input)) return false;
    } else if (input.to_come == 0 || input.vc != flit.vc) {
        return false;
    }
    const PortPlace& from = places_[first_port_[flit.router] + flit.port];
    PortPlace& to = places_[first_port_[flit.router] + input.out];
    ++to.flits;
    ++group.flit_hops;
    slot_at(to.ring, now_ + through_->cycles)
        .flits.push({static_cast<std::uint16_t>(to.place), to.port, flit.vc, flit.packet});
    slot_at(from.ring, now_ + 1 + from.latency)
        .credits.push({from.place, from.port, flit.vc}); // its place was not taken
    if (--input.to_come == 0) {
        routers_[flit.router].end_pass(input.out, flit.vc);
        group.wake(flit.router);
    }
    return true;
}

} // namespace numavp
