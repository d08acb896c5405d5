/// A network with a network interface for each package: takes the place of the switch between the packages' links.
/// `ingress(i)` and `egress(i)` are the two sides of package i, as those of a `Crossbar` are.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stats/model_part.h"
#include "tlm-links/packet/channels_towards.h"
#include "tlm-links/packet/network_interface.h"
#include "tlm-links/packet/packet_checker.h"
#include "tlm-links/packet/packet_network.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

/// Energy per bit on a kind of link.
struct ChannelEnergy {
    double pj_per_bit = 2.0;
    double idle_pj_per_bit = 0.0; ///< while nothing passes
};

/// A package that serves requests, as part `part` of memory `memory`.
struct CountedHome {
    unsigned endpoint = 0;
    MemoryId memory;
    unsigned part = 0;
};

struct NetworkFabricConfig {
    PacketNetworkConfig network;
    NetworkInterfaceConfig interface;          ///< its endpoint and terminals follow
    bool checked = false;                      ///< a packet checker on each wire
    bool adaptive_entry = false;               ///< requests of endpoints that ask enter as AdaptiveEntry says
    std::vector<unsigned> records_per_cycle{}; ///< by endpoint, where it differs from `interface`; 0: it does not
    unsigned counted_packages = ~0U;           ///< of which there are statistics, from the first on
    /// Statistics of the bytes between each of `askers` and each of `homes`; empty: none.
    std::vector<unsigned> askers;
    std::vector<CountedHome> homes;
    std::vector<ChannelEnergy> energy = {{}}; ///< by `NetworkChannel::link`; the first is the terminals' too
    /// True: the terminals of endpoints that begin traffic are channels between packages too; false: all terminals lie
    /// within packages.
    bool terminals_are_channels = false;
};

class NetworkFabric final : public sc_core::sc_module, public ModelPart {
  public:
    struct Resources {
        std::function<ClockDomain&(unsigned endpoint)> packages; ///< clock of a package, in its shard
        ClockDomain& network;
        const RouteIf& route; ///< from a package's record to the package that it goes to
    };
    /// `topology` has one endpoint for each package, in their order.
    NetworkFabric(sc_core::sc_module_name name, Topology topology, const NetworkFabricConfig& config,
                  const Resources& resources);
    ~NetworkFabric() override;

    tlm::tlm_target_socket<>& ingress(unsigned i) { return interfaces_[i]->up(); }
    tlm::tlm_initiator_socket<>& egress(unsigned i) { return interfaces_[i]->down(); }
    /// Packets and bytes that have left the network towards package i.
    const OutputCounts& requests(unsigned i) const { return interfaces_[i]->requests(); }
    const OutputCounts& responses(unsigned i) const { return interfaces_[i]->responses(); }
    const PacketNetwork& network() const { return *network_; }
    const NetworkInterface& interface(unsigned i) const { return *interfaces_[i]; }
    unsigned packages() const { return static_cast<unsigned>(interfaces_.size()); }
    std::uint64_t bytes_towards(unsigned i) const { return requests(i).bytes + responses(i).bytes; }

    /// A kernel starts while no other runs.
    void launch() { network_->launch(); }
    /// All work has ended: from now on idle channels cost nothing, and lanes stay as they are.
    void rest();
    void on_replay(PacketNetwork::ReplayHook hook) { network_->on_replay(std::move(hook)); }
    void on_lanes(TurningChannels::Hook hook) { network_->on_lanes(std::move(hook)); }
    void add_statistics(StatGroup& machine) const override;
    void add_series(SeriesGroup& machine) const override;
    void add_waves(WaveSet& waves, const std::string& machine) override;
    std::string waiting_for() const override { return network_->waiting_for(); }
    std::string holding() const override;
    /// Describes a packet that the checkers' ledger still has at the end; empty if there is none.
    std::string disagreement() override;

    /// Bytes that the channels to the routers of package i can carry in so many cycles of the network, as their lanes
    /// face now; the largest number if there are none. Packets between packages at one router use none.
    std::uint64_t ingress_capacity_bytes(unsigned i, double cycles) const;
    /// Bytes that a packet takes of them.
    std::uint64_t ingress_bytes(unsigned i, std::uint64_t packet) const {
        return towards_[i].wire_bytes(packet, flit_bytes());
    }
    /// Flits sent so far, summed over all channels between routers.
    std::uint64_t channel_flits() const;
    unsigned flit_bytes() const { return config_.interface.flit_bytes; }
    /// Energy of all channels between packages until now, in pJ: of packets; and of idle time.
    double packet_energy_pj() const;
    double idle_energy_pj() const;

  private:
    void add_interface(unsigned endpoint, const Resources& resources);
    void add_traffic(StatGroup& g) const;
    std::uint64_t bytes_between(unsigned asker, unsigned home) const;
    bool has_channels(unsigned endpoint) const;
    double flit_bits() const { return config_.interface.flit_bytes * 8.0; }
    std::uint64_t cycles_until_now() const;
    /// Flits that a channel has carried, and what its format adds.
    double carried(unsigned channel) const;
    /// Flits that one channel of this interval, or this channel, could have carried until now.
    double possible_flits(std::uint32_t interval) const;
    double possible_flits_of(unsigned channel) const;
    /// Of a channel made of lanes, until now or until all work had ended.
    std::uint64_t lane_cycles_of(unsigned channel) const;
    void add_hop_classes(StatGroup& g) const;
    void add_channel(StatGroup& g, unsigned channel) const;
    void add_errors(StatGroup& g) const;
    void add_channel_errors(StatGroup& g, unsigned channel) const;
    bool has_errors() const;
    void add_error_series(SeriesGroup& machine) const;
    template <class Get> std::uint64_t of_lossy(const Get& get) const; ///< summed over channels with errors

    const NetworkFabricConfig config_;
    Topology topology_;
    TerminalChoice choice_;
    PacketLedger ledger_;
    std::unique_ptr<PacketNetwork> network_;
    std::vector<std::unique_ptr<AdaptiveEntry>> entries_;
    std::vector<std::unique_ptr<NetworkInterface>> interfaces_;
    std::vector<std::unique_ptr<PacketChecker>> checkers_;
    std::vector<ChannelsTowards> towards_; ///< by package
    std::uint64_t ended_ps_ = 0;
    std::vector<std::uint64_t> ended_lane_cycles_; ///< of each channel made of lanes, at the end of all work
};

} // namespace numavp
