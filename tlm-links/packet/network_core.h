/// All routers and channels of a network, flit by flit, as plain C++: packets enter at terminals and leave at others.
///
/// A packet that is offered at cycle t and meets no other has left with its last flit at
///     t + 1 + L_inject + 4 R + sum(L) + L_eject + flits - 1
/// for R routers and the channels between them. A router that it passes straight through (Routing::pass_through) and
/// the channel behind it take the cycles of the pass in place of 4 and L. A packet passes only if all its flits can
/// follow at once; otherwise it takes the same route through buffer and stages. A terminal sends a flit a cycle, the
/// packets of a message class one after the other; it takes whatever arrives. Packets may overtake each other on
/// virtual channels. Those with an order key stay in order: they take a fixed virtual channel of each channel, the same
/// one of parallel channels, and with UGAL the route of earlier ones that are still inside. `step()` executes a cycle;
/// `skip_to()` skips cycles while no packet is inside.
///
/// Routers may be divided into groups, each with the terminals at them, whose cycle is executed side by side: between
/// begin_step() and end_step() step_group() of each group is called, by any thread. What a group's routers and
/// terminals send to another group lies in slots of the two. Results are the same if all packets have an order key.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/values/ring.h"
#include "base/values/rng.h"
#include "tlm-links/packet/lossy_channel.h"
#include "tlm-links/packet/packet_relay.h"
#include "tlm-links/packet/router_core.h"
#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/graph/routing.h"

namespace numavp {

struct NetworkCoreConfig {
    unsigned classes = 1;          ///< message classes, each with separate virtual channels
    unsigned virtual_channels = 6; ///< of a class
    unsigned buffer_flits = 32;    ///< of a virtual channel at each input of a router
    unsigned eject_flits = 0;      ///< of a virtual channel at each terminal that receives; 0: it takes whatever comes
    unsigned ugal_threshold = 2;   ///< hops times flits by which a minimal way must be worse
    std::uint64_t seed = 1;
    std::vector<ChannelErrors> errors{}; ///< by `NetworkChannel::link`; empty: no channel has any
    unsigned groups = 1;                 ///< of routers, at most; a network whose channels have errors is one
};

class NetworkCore final : private RouterCore::Packets {
  public:
    /// A packet as the network sees it; valid from `offer()` to `release()`.
    struct Packet {
        unsigned source = 0; ///< terminal
        unsigned target = 0; ///< terminal
        unsigned via = 0;    ///< intermediate router while that is ahead, else kNone
        std::uint16_t flits = 1;
        std::uint16_t routers = 0; ///< visited so far
        std::uint8_t message_class = 0;
        std::uint8_t eject_vc = 0; ///< of all classes, by which it reached its terminal; known when it arrives
        RouteLeg leg = RouteLeg::to_destination;
        bool follows = false;    ///< is counted among the packets of its flow
        bool entered = false;    ///< has begun to leave its terminal's queue
        bool detours = false;    ///< takes the ways that reroute() gave
        std::uint32_t order = 0; ///< packets of a source, class and target with the same key stay in order; 0: none
        Cycle offered_at = 0;
        std::uint64_t tag = 0; ///< the caller's own
    };
    /// A packet to be sent.
    struct Offer {
        unsigned source = 0; ///< terminal
        unsigned target = 0; ///< terminal
        unsigned flits = 1;
        unsigned message_class = 0;
        std::uint32_t order = 0;
        std::uint64_t tag = 0;
        unsigned bytes = 0; ///< 0: its flits are full
    };
    /// A packet whose last flit has reached its terminal in the last step.
    struct Arrival {
        PacketIndex packet;
    };

    NetworkCore(const NetworkGraph& graph, const Routing& routing, const NetworkCoreConfig& config);
    ~NetworkCore();

    /// Queues a packet at its source terminal in this cycle, before `step()`. `offered_at` is when its latency begins.
    PacketIndex offer(const Offer& what, Cycle offered_at);
    const Packet& packet(PacketIndex index) const { return packets_[index]; }
    /// Frees the index of a packet that has arrived.
    void release(PacketIndex index);
    /// Gives back room for `flits` on a virtual channel of a terminal; only if `eject_flits` bounds it.
    void credit_ejection(unsigned terminal, unsigned vc, unsigned flits);
    /// Puts a relay into a channel, before the first packet: it takes a packet when the last flit has got the switch,
    /// and when the packet comes out its flits enter the channel one a cycle.
    void cut(unsigned channel, PacketRelay& relay);
    /// From now on packets that enter take the ways of `routing`, which knows the same channels and uses virtual
    /// channels that the routing of before does not use, so that packets of the two never wait for each other. Packets
    /// of a flow whose earlier ones are inside enter when those have arrived, so that they keep their order. Once only.
    void reroute(const Routing& routing);
    /// Executes one cycle: first arrivals, then terminals and routers.
    void step();
    /// The same by groups, in any order or at a time.
    void begin_step();
    void step_group(unsigned group);
    void end_step();
    unsigned groups() const { return static_cast<unsigned>(groups_.size()); }
    /// Packets that arrived at a group's terminals in the last step, in the order in which their channels sent them.
    const std::vector<Arrival>& arrivals(unsigned group = 0) const { return groups_[group].arrivals; }
    /// Packets whose last flit left the source terminal in the last step, in the order of the group's terminals.
    const std::vector<PacketIndex>& departures(unsigned group = 0) const { return groups_[group].departures; }
    /// The cycle that the next `step()` executes.
    Cycle now() const { return now_; }
    /// True if no packet is inside.
    bool idle() const { return in_flight_ == 0; }
    /// Skips to `cycle`, which is not in the past, while no packet is inside.
    void skip_to(Cycle cycle);

    std::uint64_t in_flight() const { return in_flight_; }
    /// Describes a deadlock: one sentence with the routers and virtual channels on which packets wait for each other in
    /// a circle. Empty if there is none.
    std::string circle() const;
    /// Number of packets at a terminal whose first flit has not left yet.
    std::size_t backlog(unsigned terminal) const;
    std::uint64_t channel_flits(unsigned channel) const { return place_of_channel(channel).flits; }
    /// The same with what formats add, in 1/65536 of a flit.
    std::uint64_t channel_load(unsigned channel) const {
        const std::int64_t extra = channel_extra_.empty() ? 0 : channel_extra_[channel];
        return static_cast<std::uint64_t>(
            static_cast<std::int64_t>(channel_flits(channel) * std::uint64_t{WireFormat::kFlit}) + extra);
    }
    /// True if relays need no more edges.
    bool relays_at_rest() const;
    /// Of a channel that takes less than a flit a cycle: another interval between flits, at least a cycle, between two
    /// steps; and the first cycle in which it carries nothing, if nothing more leaves.
    void set_interval(unsigned channel, std::uint32_t interval);
    Cycle channel_free_at(unsigned channel) const {
        const LossyChannel* lossy = lossy_channel(channel);
        const Cycle free = routers_[graph_.channels[channel].from].free_at(channel_port_[channel]);
        return lossy == nullptr || lossy->settled_at() < free ? free : lossy->settled_at();
    }
    /// Lets a channel whose kind has ChannelErrors::retires take no flit before cycle `until`.
    void pause(unsigned channel, Cycle until) {
        routers_[graph_.channels[channel].from].hold_until(channel_port_[channel], until);
    }
    /// Flits of the last step that will be sent again.
    const std::vector<FlitReplay>& replays() const { return replays_; }
    /// What a channel with errors counts; null if it has none.
    const LossyChannel* lossy_channel(unsigned channel) const {
        return lossy_of_.empty() || lossy_of_[channel] == kNone ? nullptr : &lossy_[lossy_of_[channel]];
    }
    /// The channel whose errors wear out a lane, and when: the next one of the last step; false: none.
    bool take_worn(unsigned& channel, Cycle& at);
    std::uint64_t flit_hops() const { return sum(&Group::flit_hops); }
    /// Packets of an overlay that have passed straight through a router, counted at each router, and those that had to
    /// go through its buffers.
    std::uint64_t passes() const { return sum(&Group::passes); }
    std::uint64_t refused_passes() const { return sum(&Group::refused_passes); }
    bool has_passes() const { return through_ != nullptr; }
    const RouterCore& router(unsigned r) const { return routers_[r]; }

    static constexpr unsigned kNone = ~0U;

  private:
    /// The sending side of a terminal: a queue for each message class, credits of the router's input.
    struct Source {
        struct Class {
            Ring<PacketIndex> queue;
            PacketIndex head = kNoPacket; ///< the first packet while it has begun and no flit has left
            std::uint16_t to_send = 0;    ///< of the first packet, if it has begun
            std::uint8_t vc = 0;          ///< that it has
            std::uint8_t last_vc = 0;
        };
        std::vector<Class> classes;
        std::vector<std::uint16_t> credits;
        std::uint32_t taken = 0;
        unsigned turn = 0;   ///< class that is asked first
        unsigned queued = 0; ///< packets in all queues
        unsigned group = 0;
        std::uint32_t ring = 0; ///< first slot of what it sends to its router
        Cycle delay = 1;        ///< cycles to there
        std::uint16_t router = 0;
        std::uint8_t port = 0; ///< there
    };
    struct FlitEvent {
        std::uint16_t router;
        std::uint8_t port, vc;
        PacketIndex packet;
    };
    struct CreditEvent {
        std::uint32_t place; ///< router, or terminal
        std::uint8_t port, vc;
    };
    /// A list of fixed capacity, which suffices because an input takes one flit a cycle, and an output one credit.
    template <class T> struct Bounded {
        std::unique_ptr<T[]> items;
        std::uint32_t count = 0;
        void push(const T& item) { items[count++] = item; }
        /// The same if `counts`; else there must be room for one that is forgotten.
        void push_if(bool counts, const T& item) {
            items[count] = item;
            count += counts ? 1U : 0U;
        }
        const T* begin() const { return items.get(); }
        const T* end() const { return items.get() + count; }
    };
    /// Room given back by a receiving terminal.
    struct EjectCredit {
        std::uint16_t router;
        std::uint8_t port, vc;
        unsigned flits;
    };
    /// All arrivals of one cycle.
    struct Slot {
        Bounded<FlitEvent> flits;
        Bounded<FlitEvent> tails;            ///< that reach terminals
        Bounded<CreditEvent> credits;        ///< of routers
        Bounded<CreditEvent> source_credits; ///< of terminals that send
        std::vector<EjectCredit> eject_credits;
    };
    /// The other end of a router's port, to which its output leads and from which its input comes.
    struct PortPlace {
        std::uint32_t place = 0; ///< the router or terminal on the other side
        std::uint8_t port = 0;   ///< there
        enum class Kind : std::uint8_t { channel, dressed, terminal } kind = Kind::channel; ///< dressed: has more below
        std::uint16_t latency = 1;
        std::uint32_t channel = 0;
        std::uint32_t ring = 0;  ///< first slot of what goes from here to there
        std::uint64_t flits = 0; ///< that have gone there by a channel

        bool terminal() const { return kind == Kind::terminal; }
    };
    /// A channel with a relay in it.
    struct CutChannel {
        struct Inside {
            PacketIndex packet;
            std::uint8_t vc;
        };
        PacketRelay* relay;
        PortPlace to;
        std::vector<std::deque<Inside>> inside; ///< the relay, by message class
        std::deque<Inside> out;                 ///< that enter the channel
        std::uint16_t sent = 0;                 ///< flits of the first of these

        bool at_rest() const { return out.empty() && relay->at_rest(); }
    };
    struct StepList {
        std::uint32_t first = kNone;
        std::uint32_t count = 0;
    };

    /// An input of a router from which packets can pass straight to an output, and the packet that is passing.
    struct PassingInput {
        static constexpr std::uint8_t kNoOutput = 0xff;
        std::uint8_t out = kNoOutput;
        std::uint8_t vc = 0;
        std::uint16_t to_come = 0; ///< flits of the packet that passes
    };
    /// Routers that are executed together, with their terminals.
    struct alignas(64) Group {
        std::uint32_t own = 0;           ///< first slot of what it sends itself
        std::vector<std::uint32_t> from; ///< the same of all groups that send to it
        std::vector<std::uint64_t> active_routers;
        std::vector<std::uint64_t> active_sources;
        std::vector<Arrival> arrivals;
        std::vector<PacketIndex> departures;
        std::uint64_t flit_hops = 0;
        std::uint64_t passes = 0, refused_passes = 0;

        void wake(unsigned router) { active_routers[router >> 6] |= 1ULL << (router & 63); }
    };
    std::uint64_t sum(std::uint64_t Group::*count) const {
        std::uint64_t all = 0;
        for (const Group& group : groups_) all += group.*count;
        return all;
    }
    void place_groups();
    void place_passes();
    bool pass(Group& group, const FlitEvent& flit);
    bool begin_pass(Group& group, const FlitEvent& head, PassingInput& input);
    RouterCore::Route route(unsigned router, PacketIndex packet) override;
    unsigned flits(PacketIndex packet) const override { return packets_[packet].flits; }
    void choose_leg(unsigned router, Packet& packet);
    unsigned choose_via(unsigned router, const Packet& packet, const std::vector<unsigned>& others);
    RouterCore::Route draw(unsigned router, unsigned target, RouteLeg leg, const Packet& packet);
    std::uint32_t in_order(std::uint32_t vcs, std::uint32_t order) const;
    const StepList& steps(unsigned router, unsigned target, RouteLeg leg, bool detours);
    const std::vector<unsigned>& intermediates(unsigned router, unsigned target);
    /// Key of packets that must stay in order, and so must take one route while any of them is under way.
    struct FlowKey {
        unsigned source, target, message_class;
        std::uint32_t order;
        bool operator==(const FlowKey& o) const {
            return source == o.source && target == o.target && message_class == o.message_class && order == o.order;
        }
    };
    struct FlowHash {
        std::size_t operator()(const FlowKey& key) const;
    };
    struct Flow {
        unsigned via = kNone;
        unsigned packets = 0; ///< that chose or followed, and have not arrived
    };
    static FlowKey flow_of(const Packet& p) { return {p.source, p.target, p.message_class, p.order}; }
    /// An input of a router and one of its virtual channels.
    struct Buffer {
        unsigned router, port, vc;
        bool operator==(const Buffer& o) const { return router == o.router && port == o.port && vc == o.vc; }
    };
    bool waits_for(const Buffer& buffer, Buffer& next) const;
    void place_ports();
    void receive(unsigned group);
    void send(Group& group, unsigned terminal);
    bool send_of(Group& group, Source& source, unsigned message_class);
    bool start(Source& source, Source::Class& queue, unsigned message_class);
    void make_slots();
    void run(Group& group, unsigned router);
    void leave_dressed(unsigned router, const RouterCore::Sent& flit, PortPlace& to, Cycle arrives);
    void run(CutChannel& cut);
    void make_lossy();
    void send_lossy(LossyChannel& channel, const RouterCore::Sent& flit, Cycle arrives);
    void run_lossy();
    bool waits_for_flow(const Packet& packet) const;
    bool lossy_kind(unsigned link) const { return link < config_.errors.size() && config_.errors[link].any(); }
    bool slow_kind(unsigned link) const {
        return link < config_.errors.size() && (config_.errors[link].any() || config_.errors[link].retires);
    }
    std::size_t number_of_place(unsigned channel) const {
        return first_port_[graph_.channels[channel].from] + channel_port_[channel];
    }
    const PortPlace& place_of_channel(unsigned channel) const { return places_[number_of_place(channel)]; }
    PortPlace& place_of_channel(unsigned channel) { return places_[number_of_place(channel)]; }
    Slot& slot_at(std::uint32_t ring, Cycle cycle) { return slots_[ring + (cycle & (ring_slots_ - 1))]; }

    const NetworkGraph& graph_;
    const Routing& routing_;
    const NetworkCoreConfig config_;
    std::vector<RouterCore> routers_;
    std::vector<std::uint32_t> first_port_; ///< of each router, into places_
    std::vector<PortPlace> places_;
    std::vector<std::uint8_t> channel_port_;  ///< output of each channel at its router
    std::vector<std::uint8_t> terminal_port_; ///< port of each terminal at its router
    const PassThrough* through_ = nullptr;
    std::vector<PassingInput> passing_; ///< by input, as places_; empty if nothing is passed
    std::vector<Source> sources_;
    std::vector<Rng> draws_;                                ///< a stream for each router
    std::vector<std::vector<StepList>> step_lists_;         ///< by leg, then router and target
    std::vector<std::vector<RouterCore::Route>> step_pool_; ///< by router
    /// By router, then target.
    std::vector<std::unordered_map<unsigned, std::vector<unsigned>>> intermediates_;
    std::vector<std::uint8_t> straight_; ///< by router and target: known to have no intermediates
    /// Of UGAL, by the router at which they enter; nothing depends on their order.
    std::vector<std::unordered_map<FlowKey, Flow, FlowHash>> flows_;
    std::vector<Group> groups_;
    std::vector<unsigned> group_of_; ///< by router
    std::vector<Slot> slots_; ///< a ring of ring_slots_ cycles for each two groups, the one that sends and the other
    std::uint32_t ring_slots_ = 1;
    std::vector<Packet> packets_;
    std::vector<PacketIndex> spare_;
    std::vector<unsigned> bytes_;             ///< by packet, as offered; empty if no channel has a format
    std::vector<std::int64_t> channel_extra_; ///< what formats add, in 1/65536 of a flit; empty if they add nothing
    std::vector<CutChannel> cuts_;
    std::vector<std::uint32_t> cut_of_; ///< by channel; empty if none has one
    std::vector<LossyChannel> lossy_;
    std::vector<std::uint32_t> lossy_of_; ///< by channel; empty if none has errors
    std::vector<FlitReplay> replays_;
    std::vector<std::pair<unsigned, Cycle>> worn_;
    const Routing* detour_ = nullptr;                          ///< null before reroute()
    std::unordered_map<FlowKey, unsigned, FlowHash> draining_; ///< packets inside of flows that must wait
    std::uint64_t in_flight_ = 0;
    Cycle now_ = 0;
    Cycle settled_at_ = 0; ///< credits may be on their way until then, though no packet is inside
};

} // namespace numavp
