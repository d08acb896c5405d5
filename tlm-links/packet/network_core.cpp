#include "tlm-links/packet/network_core.h"

#include <algorithm>

#include "base/values/error.h"
#include "tlm-links/packet/draw_stream.h"
#include "tlm-links/packet/router_step.h"

namespace numavp {

namespace {
void set_bit(std::vector<std::uint64_t>& bits, unsigned i) { bits[i >> 6] |= 1ULL << (i & 63); }
void clear_bit(std::vector<std::uint64_t>& bits, unsigned i) { bits[i >> 6] &= ~(1ULL << (i & 63)); }
} // namespace

NetworkCore::NetworkCore(const NetworkGraph& graph, const Routing& routing, const NetworkCoreConfig& config)
    : graph_(graph), routing_(routing), config_(config), first_port_(graph.routers.size()),
      channel_port_(graph.channels.size()), terminal_port_(graph.terminals.size()), sources_(graph.terminals.size()),
      step_lists_(2, std::vector<StepList>(graph.routers.size() * graph.routers.size())),
      step_pool_(graph.routers.size()), intermediates_(graph.routers.size()),
      straight_(graph.routers.size() * graph.routers.size()), flows_(graph.routers.size()) {
    const unsigned vcs = config.classes * config.virtual_channels;
    if (vcs == 0 || vcs > RouterCore::kMaxVcs || config.virtual_channels > RouterCore::kMaxVcs / 2)
        throw ModelError("a router has 1 to 16 virtual channels of a class at each port, 1 to 32 of all classes");
    place_ports();
    make_lossy();
    through_ = routing.pass_through();
    if (through_ != nullptr) place_passes();
    for (Source& s : sources_) {
        s.classes.resize(config.classes);
        s.credits.assign(vcs, static_cast<std::uint16_t>(config.buffer_flits));
    }
    place_groups();
    make_slots();
}

/// Neighbouring routers, as many for each group as can be.
void NetworkCore::place_groups() {
    const std::size_t routers = graph_.routers.size();
    const std::size_t most = lossy_.empty() ? std::max(config_.groups, 1U) : 1;
    groups_.resize(std::min(most, routers));
    for (Group& group : groups_) {
        group.active_routers.resize((routers + 63) / 64);
        group.active_sources.resize((graph_.terminals.size() + 63) / 64);
    }
    for (std::size_t r = 0; r < routers; ++r) group_of_.push_back(static_cast<unsigned>(r * groups_.size() / routers));
    for (std::size_t t = 0; t < sources_.size(); ++t) {
        const NetworkTerminal& place = graph_.terminals[t];
        sources_[t].group = group_of_[place.router];
        sources_[t].router = static_cast<std::uint16_t>(place.router);
        sources_[t].port = terminal_port_[t];
        sources_[t].delay = Cycle{1} + place.latency_cycles;
    }
}

void NetworkCore::make_slots() {
    unsigned longest = 1;
    for (const PortPlace& p : places_) longest = std::max<unsigned>(longest, p.latency);
    for (const NetworkChannel& channel : graph_.channels) { // an overhead delays the head of a packet
        const WireFormat& format = channel.format;
        const unsigned most = (format.overhead_bytes + format.granule_bytes) / format.flit_bytes + 1;
        const std::int64_t extra = format.plain() ? 0 : most * WireFormat::kFlit;
        longest = std::max(longest, channel.latency_cycles + channel.tail_cycles() +
                                        WireFormat::delay_cycles(extra, channel.interval));
    }
    while (ring_slots_ < longest + 4U) ring_slots_ *= 2;
    // Of each ring: an input takes a flit in a cycle and gives back a credit, two where packets pass; one of a
    // non-blocking router gives back as many as there are outputs.
    struct Most {
        std::size_t flits = 0, tails = 0, credits = 0, source_credits = 0;
    };
    std::vector<Most> most; // of each ring
    std::vector<std::uint32_t> ring_of(std::size_t{groups()} * groups(), std::uint32_t{kNone});
    const auto ring = [&](unsigned from, unsigned to) {
        std::uint32_t& number = ring_of[std::size_t{from} * groups() + to];
        if (number != kNone) return number;
        number = static_cast<std::uint32_t>(most.size());
        most.emplace_back();
        groups_[to].from.push_back(number * ring_slots_);
        return number;
    };
    for (unsigned g = 0; g < groups(); ++g) groups_[g].own = ring(g, g) * ring_slots_;
    for (Source& s : sources_) s.ring = groups_[s.group].own;
    std::vector<bool> non_blocking(graph_.routers.size(), false);
    for (const unsigned r : graph_.non_blocking) non_blocking[r] = true;
    for (unsigned r = 0; r < graph_.routers.size(); ++r)
        for (unsigned port = 0; port < routers_[r].ports(); ++port) {
            PortPlace& to = places_[first_port_[r] + port];
            const unsigned number = ring(group_of_[r], to.terminal() ? group_of_[r] : group_of_[to.place]);
            to.ring = number * ring_slots_;
            Most& of_ring = most[number];
            ++of_ring.flits; // as many inputs there as outputs here; a terminal's is here
            of_ring.tails += to.terminal() ? 1U : 0U;
            (to.terminal() ? of_ring.source_credits : of_ring.credits) +=
                (passing_.empty() ? 1U : 2U) + (non_blocking[r] ? routers_[r].ports() : 0U);
        }
    slots_.resize(most.size() * ring_slots_);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const Most& room = most[i / ring_slots_];
        slots_[i].flits.items = std::make_unique<FlitEvent[]>(room.flits);
        slots_[i].credits.items = std::make_unique<CreditEvent[]>(room.credits);
        slots_[i].source_credits.items = std::make_unique<CreditEvent[]>(room.source_credits);
        slots_[i].tails.items = std::make_unique<FlitEvent[]>(room.tails + 1); // a body flit is written and forgotten
    }
}

NetworkCore::~NetworkCore() = default;

/// Ports of a router: its channels in their order, then its terminals.
void NetworkCore::place_ports() {
    const std::size_t count = graph_.routers.size();
    std::vector<unsigned> ports(count, 0);
    for (std::size_t c = 0; c < graph_.channels.size(); ++c)
        channel_port_[c] = static_cast<std::uint8_t>(ports[graph_.channels[c].from]++);
    for (std::size_t t = 0; t < graph_.terminals.size(); ++t)
        terminal_port_[t] = static_cast<std::uint8_t>(ports[graph_.terminals[t].router]++);
    std::uint32_t all = 0;
    const unsigned vcs = config_.classes * config_.virtual_channels;
    const Rng seeds(config_.seed);
    RouterCore::Packets& packets = *this;
    routers_.reserve(count);
    for (unsigned r = 0; r < count; ++r) {
        if (ports[r] > RouterCore::kMaxPorts) throw ModelError("a router has at most 128 ports");
        first_port_[r] = all;
        all += ports[r];
        routers_.emplace_back(r, ports[r], vcs, config_.buffer_flits, packets);
        draws_.push_back(seeds.fork(draw_stream(graph_.routers[r])));
    }
    for (const unsigned r : graph_.non_blocking) routers_[r].make_non_blocking();
    places_.resize(all);
    for (std::uint32_t c = 0; c < graph_.channels.size(); ++c) {
        const NetworkChannel& channel = graph_.channels[c];
        const auto latency = static_cast<std::uint16_t>(channel.latency_cycles + channel.tail_cycles());
        const bool plain = channel.format.plain() && !lossy_kind(channel.link);
        const PortPlace::Kind kind = plain ? PortPlace::Kind::channel : PortPlace::Kind::dressed;
        places_[first_port_[channel.from] + channel_port_[c]] = {channel.to, channel_port_[channel.reverse], kind,
                                                                 latency, c};
        if (!channel.format.plain()) {
            channel_extra_.resize(graph_.channels.size());
        }
        if (!channel.format.plain() || slow_kind(channel.link)) routers_[channel.from].make_slow(channel_port_[c]);
        routers_[channel.from].set_interval(channel_port_[c], channel.interval);
        if (channel.buffer_flits == 0) continue;
        routers_[channel.from].set_credits(channel_port_[c], channel.buffer_flits);
        routers_[channel.to].set_buffer(channel_port_[channel.reverse], channel.buffer_flits);
    }
    for (std::uint32_t t = 0; t < graph_.terminals.size(); ++t) {
        const NetworkTerminal& terminal = graph_.terminals[t];
        places_[first_port_[terminal.router] + terminal_port_[t]] = {
            t, 0, PortPlace::Kind::terminal, static_cast<std::uint16_t>(terminal.latency_cycles), 0};
        routers_[terminal.router].set_credits(terminal_port_[t],
                                              config_.eject_flits != 0 ? config_.eject_flits : RouterCore::kUnlimited);
    }
}

// --- packets

PacketIndex NetworkCore::offer(const Offer& what, Cycle offered_at) {
    PacketIndex index = 0;
    if (spare_.empty()) {
        index = static_cast<PacketIndex>(packets_.size());
        packets_.emplace_back();
    } else {
        index = spare_.back();
        spare_.pop_back();
    }
    Packet& packet = packets_[index];
    packet = {};
    packet.source = what.source;
    packet.target = what.target;
    packet.via = kNone;
    packet.flits = static_cast<std::uint16_t>(what.flits);
    packet.message_class = static_cast<std::uint8_t>(what.message_class);
    packet.order = what.order;
    packet.offered_at = offered_at;
    packet.tag = what.tag;
    if (!channel_extra_.empty()) {
        bytes_.resize(packets_.size());
        bytes_[index] = what.bytes;
    }
    ++in_flight_;
    Source& s = sources_[what.source];
    s.classes[what.message_class].queue.push(index);
    ++s.queued;
    set_bit(groups_[s.group].active_sources, what.source);
    return index;
}

void NetworkCore::release(PacketIndex index) {
    packets_[index].entered = false;
    if (!draining_.empty() && !packets_[index].detours) {
        const auto flow = draining_.find(flow_of(packets_[index]));
        if (flow != draining_.end() && --flow->second == 0) draining_.erase(flow);
    }
    if (packets_[index].follows) {
        auto& flows = flows_[graph_.terminals[packets_[index].source].router];
        const auto flow = flows.find(flow_of(packets_[index]));
        if (--flow->second.packets == 0) flows.erase(flow);
    }
    spare_.push_back(index);
    if (--in_flight_ == 0) settled_at_ = now_ + ring_slots_;
}

void NetworkCore::credit_ejection(unsigned terminal, unsigned vc, unsigned flits) {
    const NetworkTerminal& place = graph_.terminals[terminal];
    slot_at(sources_[terminal].ring, now_ + place.latency_cycles)
        .eject_credits.push_back(
            {static_cast<std::uint16_t>(place.router), terminal_port_[terminal], static_cast<std::uint8_t>(vc), flits});
    settled_at_ = now_ + ring_slots_;
}

void NetworkCore::skip_to(Cycle cycle) {
    while (now_ < cycle && (now_ < settled_at_ || !relays_at_rest())) step();
    now_ = std::max(now_, cycle);
}

std::size_t NetworkCore::backlog(unsigned terminal) const { return sources_[terminal].queued; }

// --- a cycle

/// All flits before all credits, from whichever group: routes are chosen by the credits of before.
void NetworkCore::receive(unsigned number) {
    Group& group = groups_[number];
    for (const std::uint32_t ring : group.from) {
        Slot& slot = slot_at(ring, now_);
        for (const FlitEvent& f : slot.flits) {
            if (!passing_.empty() && pass(group, f)) continue;
            routers_[f.router].arrive(f.port, f.vc, f.packet);
            group.wake(f.router);
        }
        slot.flits.count = 0;
    }
    for (const std::uint32_t ring : group.from) {
        Slot& slot = slot_at(ring, now_);
        for (const CreditEvent& c : slot.credits)
            if (routers_[c.place].credit(c.port, c.vc)) group.wake(c.place);
        for (const CreditEvent& c : slot.source_credits) ++sources_[c.place].credits[c.vc];
        slot.credits.count = slot.source_credits.count = 0;
    }
    Slot& own = slot_at(group.own, now_);
    group.arrivals.clear();
    for (const FlitEvent& f : own.tails) {
        packets_[f.packet].eject_vc = f.vc;
        group.arrivals.push_back({f.packet});
    }
    for (const EjectCredit& c : own.eject_credits) {
        bool waited = false;
        for (unsigned i = 0; i < c.flits; ++i) waited |= routers_[c.router].credit(c.port, c.vc);
        if (waited) group.wake(c.router);
    }
    own.tails.count = 0;
    own.eject_credits.clear();
}

/// Gives the first packet of a queue a virtual channel of the router's input; false if none is free and has room.
bool NetworkCore::start(Source& source, Source::Class& queue, unsigned message_class) {
    const unsigned count = config_.virtual_channels;
    const std::uint32_t order = packets_[queue.queue.front()].order;
    if (!draining_.empty() && waits_for_flow(packets_[queue.queue.front()])) return false;
    for (unsigned i = 1; i <= (order == 0 ? count : 1); ++i) {
        const unsigned vc = message_class * count + (order == 0 ? queue.last_vc + i : order) % count;
        if ((source.taken >> vc & 1U) != 0 || source.credits[vc] == 0) continue;
        queue.vc = static_cast<std::uint8_t>(vc);
        queue.last_vc = static_cast<std::uint8_t>(vc - message_class * count);
        queue.head = queue.queue.front();
        queue.to_send = packets_[queue.head].flits;
        packets_[queue.head].entered = true;
        packets_[queue.head].detours = detour_ != nullptr;
        source.taken |= 1U << vc;
        return true;
    }
    return false;
}

bool NetworkCore::send_of(Group& group, Source& source, unsigned message_class) {
    Source::Class& queue = source.classes[message_class];
    if (queue.to_send == 0 && (queue.queue.empty() || !start(source, queue, message_class))) return false;
    if (source.credits[queue.vc] == 0) return false;
    --source.credits[queue.vc];
    slot_at(source.ring, now_ + source.delay).flits.push({source.router, source.port, queue.vc, queue.head});
    queue.head = kNoPacket;
    if (--queue.to_send == 0) {
        group.departures.push_back(queue.queue.pop());
        source.taken &= ~(1U << queue.vc);
        --source.queued;
    }
    return true;
}

void NetworkCore::send(Group& group, unsigned terminal) {
    Source& source = sources_[terminal];
    const unsigned classes = config_.classes;
    for (unsigned i = 0; i < classes; ++i) {
        const unsigned c = source.turn + i < classes ? source.turn + i : source.turn + i - classes;
        if (!send_of(group, source, c)) continue;
        source.turn = c + 1 < classes ? c + 1 : 0;
        break;
    }
    if (source.queued == 0) clear_bit(group.active_sources, terminal);
}

void NetworkCore::run(Group& group, unsigned router) {
    PortPlace* const places = &places_[first_port_[router]];
    unsigned count = 0;
    routers_[router].step(now_, [&](const RouterCore::Sent& s) {
        ++count;
        PortPlace& to = places[s.out_port];
        const Cycle arrives = now_ + RouterCore::kStages - 2 + to.latency; // the switch is the third stage
        if (__builtin_expect(to.kind == PortPlace::Kind::dressed, 0)) {
            leave_dressed(router, s, to, arrives);
        } else { // without a branch: where a flit goes can't be foretold
            ++to.flits;
            Slot& slot = slot_at(to.ring, arrives);
            const bool ejects = to.terminal();
            (ejects ? slot.tails : slot.flits)
                .push_if(!ejects || s.tail, {static_cast<std::uint16_t>(to.place), to.port, s.out_vc,
                                             s.head || ejects ? s.packet : kNoPacket});
        }
        const PortPlace& from = places[s.in_port];
        Slot& slot = slot_at(from.ring, now_ + 1 + from.latency);
        (from.terminal() ? slot.source_credits : slot.credits).push({from.place, from.port, s.in_vc});
    });
    group.flit_hops += count;
    if (routers_[router].idle()) clear_bit(group.active_routers, router);
}

// --- who waits for whom

/// The buffer whose progress `buffer` waits for; false if it waits for none.
bool NetworkCore::waits_for(const Buffer& buffer, Buffer& next) const {
    const RouterCore::Waits w = routers_[buffer.router].waits(buffer.port, buffer.vc);
    if (w.what == RouterCore::Waits::For::nothing) return false;
    if (w.what == RouterCore::Waits::For::channel) {
        next = {buffer.router, w.holder_port, w.holder_vc};
        return true;
    }
    const PortPlace& to = places_[first_port_[buffer.router] + w.port];
    if (to.terminal()) return false;
    next = {to.place, to.port, w.vc};
    return true;
}

std::string NetworkCore::circle() const {
    const unsigned vcs = config_.classes * config_.virtual_channels;
    for (unsigned r = 0; r < routers_.size(); ++r) {
        for (unsigned start = 0; start < routers_[r].ports() * vcs; ++start) {
            const Buffer first{r, start / vcs, start % vcs};
            std::string text = graph_.routers[r] + " (virtual channel " + std::to_string(first.vc) + ")";
            Buffer next = first;
            for (std::size_t hops = 0; hops < places_.size() * vcs && waits_for(next, next); ++hops) {
                text += " waits for " + graph_.routers[next.router] + " (" + std::to_string(next.vc) + ")";
                if (next == first) return "packets wait for each other in a circle: " + text;
            }
        }
    }
    return "";
}

void NetworkCore::step() {
    begin_step();
    for (unsigned group = 0; group < groups(); ++group) step_group(group);
    end_step();
}

void NetworkCore::begin_step() {
    if (!lossy_.empty()) run_lossy();
}

void NetworkCore::step_group(unsigned number) {
    receive(number);
    Group& group = groups_[number];
    group.departures.clear();
    for (std::size_t w = 0; w < group.active_sources.size(); ++w)
        for (std::uint64_t bits = group.active_sources[w]; bits != 0; bits &= bits - 1)
            send(group, static_cast<unsigned>(w * 64) + static_cast<unsigned>(__builtin_ctzll(bits)));
    for (std::size_t w = 0; w < group.active_routers.size(); ++w)
        for (std::uint64_t bits = group.active_routers[w]; bits != 0; bits &= bits - 1)
            run(group, static_cast<unsigned>(w * 64) + static_cast<unsigned>(__builtin_ctzll(bits)));
}

void NetworkCore::end_step() {
    for (CutChannel& cut : cuts_)
        if (!cut.at_rest()) run(cut);
    ++now_;
}

} // namespace numavp
