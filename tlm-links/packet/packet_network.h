/// A network of routers as a module: a target socket for each terminal, and a clock of its own.
///
/// A packet from an endpoint, in whatever clock, is taken in at the next edge into its terminal's queue (`inject_flits`
/// for each message class); the room is given back when its last flit has left the queue for the router. A packet that
/// reaches its target terminal is handed over an edge later and needs room there (`eject_flits` for each virtual
/// channel). Between the two, `NetworkCore` moves it. While no packet is inside nothing is executed. It is a part of
/// the system's shard; in its turn all workers share the step of the routers.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tlm-links/packet/network_core.h"
#include "tlm-links/packet/packet_port.h"
#include "tlm-links/packet/turning_channels.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

struct PacketNetworkConfig {
    NetworkCoreConfig core;     ///< with a bound of `eject_flits`
    unsigned inject_flits = 64; ///< of a message class at a terminal's queue
    /// A lane of a channel that is retired in a cycle.
    struct RetiredLane {
        unsigned channel = 0;
        Cycle at = 0, retrain_cycles = 0;
    };
    std::vector<RetiredLane> retired;
    std::shared_ptr<const Routing> detour{}; ///< ways of packets that enter from cycle `detour_at` on; null: none
    Cycle detour_at = 0;
    std::vector<ChannelLanes> lanes; ///< by `NetworkChannel::link`; empty: no channel is made of lanes
    /// Makes what stands in a channel in the place of its wires; null: nothing. Empty: in none.
    std::function<std::unique_ptr<PacketRelay>(const NetworkChannel& channel)> relay;
};

class PacketNetwork final : public sc_core::sc_module, private PacketOwner {
  public:
    PacketNetwork(sc_core::sc_module_name name, const NetworkGraph& graph, const Routing& routing,
                  const PacketNetworkConfig& config, ClockDomain& domain);
    ~PacketNetwork() override;

    PacketTargetSocket& terminal(unsigned t) { return terminals_[t]->socket; }
    /// A kernel starts while no other runs: lanes go back to what their balancers say, and sampling begins.
    void launch() { turner_.wake_when_due(channels_.launch(domain_.now())); }
    /// No kernel runs: lanes stay as they are until the next launch.
    void rest() { channels_.rest(); }
    const NetworkCore& core() const { return core_; }
    const TurningChannels& channels() const { return channels_; }
    /// Called for each flit that will be sent again.
    using ReplayHook = std::function<void(const FlitReplay&)>;
    void on_replay(ReplayHook hook) { replay_hook_ = std::move(hook); }
    void on_lanes(TurningChannels::Hook hook) { channels_.on_lanes(std::move(hook)); }
    const NetworkGraph& graph() const { return graph_; }
    const PacketNetworkConfig& config() const { return config_; }
    ClockDomain& domain() const { return domain_; }
    std::uint64_t packets() const { return packets_; } ///< that have arrived
    std::uint64_t flits() const { return flits_; }     ///< of these
    /// Sums over the packets that have arrived: routers that they passed, and time from endpoint to endpoint.
    std::uint64_t routers_passed() const { return routers_passed_; }
    std::uint64_t latency_ps() const { return latency_ps_; }
    /// The same of the packets that passed so many routers, 1 to hop_classes(); the last class has those with more too.
    struct OfRouters {
        std::uint64_t packets = 0, latency_ps = 0;
    };
    static constexpr unsigned kMostHopClasses = 16;
    unsigned hop_classes() const { return static_cast<unsigned>(by_routers_.size()) - 1; }
    const OfRouters& by_routers(unsigned routers) const { return by_routers_[routers]; }
    /// Describes the circle in which packets wait for each other; else the number of packets inside; empty if none is.
    std::string waiting_for() const;
    /// The first breach of a relay, at the end of a simulation; empty if there is none.
    std::string disagreement();

  private:
    struct Stepper final : Arbiter {
        static constexpr std::uint32_t kAfterInterfaces = ~std::uint32_t{0};
        Stepper(PacketNetwork& owner, ClockDomain& domain)
            : Arbiter(domain, {kSystemRank, kRankSwitch, kAfterInterfaces}), network(owner) {}
        void arbitrate() override { network.step(); }
        PacketNetwork& network;
    };
    /// Turns lanes after the routers' step of an edge.
    struct Turner final : Arbiter {
        static constexpr std::uint32_t kAfterDispatch = ~std::uint32_t{0};
        Turner(PacketNetwork& owner, ClockDomain& domain)
            : Arbiter(domain, {kSystemRank, kRankControl, kAfterDispatch}), network(owner) {}
        void arbitrate() override {
            wake_when_due(network.reroute_due());
            wake_when_due(network.channels_.act(network.domain_.now()));
        }
        void wake_when_due(Cycle next) {
            if (next != kNever) wake_at(next);
        }
        void start() { wake_at_start(); }
        PacketNetwork& network;
    };
    Cycle reroute_due();
    void note_replays();
    void packet(unsigned port, PacketPayload& packet) override;
    void credit(unsigned port, unsigned vc, unsigned flits) override;
    void step();
    void take_in();
    void hand_over(unsigned group);

    /// An event since the last edge: a packet from an endpoint, or room for `flits` on a virtual channel.
    struct Incoming {
        Cycle edge; ///< at which it is taken in
        unsigned port;
        PacketPayload* packet; ///< null for room
        unsigned vc, flits;
    };
    const NetworkGraph& graph_;
    const PacketNetworkConfig config_;
    ClockDomain& domain_;
    NetworkCore core_;
    /// A worker's share of a step.
    const std::function<void(unsigned)> step_group_ = [this](unsigned worker) {
        if (worker < core_.groups()) core_.step_group(worker);
    };
    std::vector<std::unique_ptr<PacketRelay>> relays_; ///< by channel, null if it has none; empty if none has one
    Stepper stepper_;
    TurningChannels channels_;
    Turner turner_;
    std::vector<std::unique_ptr<PacketTargetPort>> terminals_;
    std::deque<Incoming> incoming_;
    ReplayHook replay_hook_;
    bool rerouted_ = false;
    std::uint64_t packets_ = 0, flits_ = 0, routers_passed_ = 0, latency_ps_ = 0;
    std::vector<OfRouters> by_routers_; ///< from 0 on, which no packet passes
};

} // namespace numavp
