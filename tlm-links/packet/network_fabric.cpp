#include "tlm-links/packet/network_fabric.h"

#include <algorithm>
#include <limits>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/time/sim_time.h"
#include "base/values/error.h"
#include "tlm-links/packet/draw_stream.h"
#include "tlm-links/protocol/held.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

namespace {
PacketLedger::Rules wire_rules(const NetworkGraph& graph, const PacketNetworkConfig& c) {
    PacketLedger::Rules rules;
    rules.terminals = static_cast<unsigned>(graph.terminals.size());
    rules.classes = c.core.classes;
    rules.virtual_channels = c.core.classes * c.core.virtual_channels;
    rules.inject_flits = c.inject_flits;
    rules.eject_flits = c.core.eject_flits;
    return rules;
}
} // namespace

NetworkFabric::NetworkFabric(sc_core::sc_module_name name, Topology topology, const NetworkFabricConfig& config,
                             const Resources& r)
    : sc_module(name), config_(config), topology_(std::move(topology)), choice_(topology_.graph, *topology_.routing),
      ledger_(wire_rules(topology_.graph, config.network)),
      network_(
          std::make_unique<PacketNetwork>("routers", topology_.graph, *topology_.routing, config.network, r.network)) {
    for (unsigned e = 0; e < topology_.graph.endpoints.size(); ++e) {
        add_interface(e, r);
        towards_.emplace_back(topology_.graph, e, config_.network.lanes);
    }
}

void NetworkFabric::add_interface(unsigned endpoint, const Resources& r) {
    const std::vector<unsigned>& terminals = topology_.graph.endpoints[endpoint].terminals;
    NetworkInterfaceConfig one = config_.interface;
    one.endpoint = endpoint;
    if (endpoint < config_.records_per_cycle.size() && config_.records_per_cycle[endpoint] != 0)
        one.records_per_cycle = config_.records_per_cycle[endpoint];
    one.first_terminal = terminals.front();
    one.terminals = static_cast<unsigned>(terminals.size());
    one.all_terminals = static_cast<unsigned>(topology_.graph.terminals.size());
    one.inject_flits = config_.network.inject_flits;
    one.by_origin = !config_.homes.empty();
    const std::string label = "interface" + std::to_string(endpoint);
    if (config_.adaptive_entry && topology_.graph.endpoints[endpoint].requester) {
        const std::string path = std::string(name()) + "." + label;
        entries_.push_back(std::make_unique<AdaptiveEntry>(topology_.graph, *topology_.routing, endpoint,
                                                           Rng(config_.network.core.seed).fork(draw_stream(path))));
        one.entry = entries_.back().get();
    }
    interfaces_.push_back(
        std::make_unique<NetworkInterface>(label.c_str(), one,
                                           NetworkInterface::Resources{r.packages(endpoint), r.route, choice_,
                                                                       Rank{kSystemRank, kRankSwitch, 2 * endpoint}}));
    for (unsigned i = 0; i < terminals.size(); ++i) {
        const unsigned t = terminals[i];
        if (t != terminals.front() + i) throw ModelError(label + ": its terminals are not numbered side by side");
        PacketInitiatorSocket& from = interfaces_.back()->network(i);
        PacketTargetSocket& to = network_->terminal(t);
        if (config_.checked)
            checkers_.push_back(bind_checked_packets(from, to, ("checker" + std::to_string(t)).c_str(), t, ledger_));
        else
            from.bind(to);
    }
}

NetworkFabric::~NetworkFabric() = default;

// --- what it shows

std::uint64_t NetworkFabric::channel_flits() const {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < topology_.graph.channels.size(); ++i) sum += network_->core().channel_flits(i);
    return sum;
}

double NetworkFabric::carried(unsigned channel) const {
    return static_cast<double>(network_->core().channel_load(channel)) / WireFormat::kFlit;
}

void NetworkFabric::rest() {
    ended_ps_ = sc_now_ps();
    network_->rest();
    const TurningChannels& channels = network_->channels();
    ended_lane_cycles_.assign(topology_.graph.channels.size(), 0);
    for (unsigned i = 0; i < ended_lane_cycles_.size(); ++i)
        if (channels.turns(i)) ended_lane_cycles_[i] = channels.lane_cycles(i, network_->domain().now());
}

bool NetworkFabric::has_channels(unsigned endpoint) const {
    const NetworkEndpoint& e = topology_.graph.endpoints[endpoint];
    return config_.terminals_are_channels && e.requester;
}

double NetworkFabric::packet_energy_pj() const {
    double sum = 0;
    for (unsigned i = 0; i < topology_.graph.channels.size(); ++i)
        sum += carried(i) * config_.energy[topology_.graph.channels[i].link].pj_per_bit;
    for (unsigned e = 0; e < packages(); ++e)
        if (has_channels(e))
            sum += static_cast<double>(interfaces_[e]->terminal_flits()) * config_.energy.front().pj_per_bit;
    const std::vector<NetworkChannel>& channels = topology_.graph.channels;
    for (unsigned i = 0; has_errors() && i < channels.size(); ++i)
        if (const LossyChannel* lossy = network_->core().lossy_channel(i))
            sum += static_cast<double>(lossy->counts().replayed_units) * config_.energy[channels[i].link].pj_per_bit;
    return sum * flit_bits();
}

std::uint64_t NetworkFabric::cycles_until_now() const {
    const std::uint64_t until_ps = ended_ps_ != 0 ? ended_ps_ : sc_now_ps();
    return until_ps / 1000 * network_->domain().khz() / 1000000;
}

double NetworkFabric::possible_flits(std::uint32_t interval) const {
    return static_cast<double>(cycles_until_now()) * NetworkChannel::kCycle / interval;
}

/// Of a channel made of lanes: by those that faced its way.
double NetworkFabric::possible_flits_of(unsigned channel) const {
    const NetworkChannel& c = topology_.graph.channels[channel];
    if (!network_->channels().turns(channel)) return possible_flits(c.interval);
    const double lane_interval = static_cast<double>(c.interval) * config_.network.lanes[c.link].turner.wired.out;
    return static_cast<double>(lane_cycles_of(channel)) * NetworkChannel::kCycle / lane_interval;
}

std::uint64_t NetworkFabric::lane_cycles_of(unsigned channel) const {
    return ended_lane_cycles_.empty() ? network_->channels().lane_cycles(channel, network_->domain().now())
                                      : ended_lane_cycles_[channel];
}

std::uint64_t NetworkFabric::ingress_capacity_bytes(unsigned i, double cycles) const {
    if (!towards_[i].any()) return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(towards_[i].flits(cycles, network_->channels()) * flit_bytes());
}

double NetworkFabric::idle_energy_pj() const {
    double sum = 0;
    const auto idle = [](double possible, double carried) { return std::max(0.0, possible - carried); };
    for (unsigned i = 0; i < topology_.graph.channels.size(); ++i) {
        const NetworkChannel& channel = topology_.graph.channels[i];
        sum += idle(possible_flits_of(i), carried(i)) * config_.energy[channel.link].idle_pj_per_bit;
    }
    for (unsigned e = 0; e < packages(); ++e) {
        if (!has_channels(e)) continue;
        const double directions = 2.0 * static_cast<double>(topology_.graph.endpoints[e].terminals.size());
        sum += idle(directions * possible_flits(NetworkChannel::kCycle),
                    static_cast<double>(interfaces_[e]->terminal_flits())) *
               config_.energy.front().idle_pj_per_bit;
    }
    return sum * flit_bits();
}

void NetworkFabric::add_statistics(StatGroup& machine) const {
    StatGroup& g = machine.group(basename());
    g.sum(
        "packets", [this] { return network_->packets(); }, "packets", "Packets that have crossed the network.");
    g.sum(
        "flits", [this] { return network_->flits(); }, "flits", "Flits of packets that have crossed the network.");
    g.sum(
        "routers_passed", [this] { return network_->routers_passed(); }, "routers",
        "Routers passed by all packets, summed.");
    g.sum(
        "latency_ps", [this] { return network_->latency_ps(); }, "ps",
        "Latency from one network interface to the other, of all packets, summed.");
    add_hop_classes(g);
    g.sum(
        "channel_flits", [this] { return channel_flits(); }, "flits",
        "Flits carried by all channels between routers, summed.");
    g.sum(
        "energy_pj", [this] { return packet_energy_pj(); }, "pJ",
        "Energy of packets on channels between packages, beside that of links.");
    if (network_->core().has_passes()) {
        g.sum(
            "passes", [this] { return network_->core().passes(); }, "packets",
            "Packets of the overlay that have passed a router, for each router that they passed.");
        g.sum(
            "refused_passes", [this] { return network_->core().refused_passes(); }, "packets",
            "Packets of the overlay that went the ordinary way through a router on their chain.");
    }
    add_errors(g);
    const auto costs_idle = [](const ChannelEnergy& e) { return e.idle_pj_per_bit > 0.0; };
    if (std::any_of(config_.energy.begin(), config_.energy.end(), costs_idle))
        g.sum(
            "idle_energy_pj", [this] { return idle_energy_pj(); }, "pJ",
            "Energy of channels between packages while they carry nothing, until now.");
    for (unsigned i = 0; i < topology_.graph.channels.size(); ++i) add_channel(g.group("channel", i), i);
    for (unsigned i = 0; i < packages() && i < config_.counted_packages; ++i) {
        StatGroup& port = g.group("port", i);
        port.counter("request_bytes", requests(i).bytes, "B", "Requests towards this socket.");
        port.counter("response_bytes", responses(i).bytes, "B", "Responses towards this socket.");
    }
    add_traffic(g);
}

void NetworkFabric::add_hop_classes(StatGroup& g) const {
    for (unsigned n = 1; n <= network_->hop_classes(); ++n) {
        StatGroup& alike = g.group("by_routers", n);
        alike.sum(
            "packets", [this, n] { return network_->by_routers(n).packets; }, "packets",
            "Packets that passed so many routers; the last group has those with more too.");
        alike.sum(
            "latency_ps", [this, n] { return network_->by_routers(n).latency_ps; }, "ps",
            "Latency from one network interface to the other, of the packets of this group, summed.");
    }
}

void NetworkFabric::add_channel(StatGroup& g, unsigned i) const {
    const NetworkChannel& channel = topology_.graph.channels[i];
    g.value(
        "from", [&channel] { return std::uint64_t{channel.from}; }, "", "Router at which the channel begins.");
    g.value(
        "to", [&channel] { return std::uint64_t{channel.to}; }, "", "Router at which the channel ends.");
    g.sum(
        "flits", [this, i] { return network_->core().channel_flits(i); }, "flits",
        "Flits that the channel has carried.");
    if (!channel.format.plain())
        g.sum(
            "wire_bytes", [this, i] { return static_cast<std::uint64_t>(carried(i) * config_.interface.flit_bytes); },
            "B", "Bytes on the wires of the channel, with overheads and in whole granules.");
    add_channel_errors(g, i);
    const TurningChannels& channels = network_->channels();
    if (!channels.turns(i)) return;
    g.sum(
        "lane_cycles", [this, i] { return lane_cycles_of(i); }, "lane-cycles",
        "Cycles of the network's clock, of the lanes that faced this way, summed.");
    g.sum(
        "lane_turns", [&channels, i] { return channels.turned(i); }, "turns",
        "Turns of lanes between this channel and the one that goes back.");
    g.value(
        "lanes", [&channels, i] { return std::uint64_t{channels.lanes(i)}; }, "lanes",
        "Lanes that face this way at the end.");
}

/// Of requests from the one to the other, and of their responses.
std::uint64_t NetworkFabric::bytes_between(unsigned asker, unsigned home) const {
    std::uint64_t sum = 0;
    for (const unsigned t : topology_.graph.endpoints[asker].terminals) sum += interfaces_[home]->requests_from(t);
    for (const unsigned t : topology_.graph.endpoints[home].terminals) sum += interfaces_[asker]->responses_from(t);
    return sum;
}

void NetworkFabric::add_traffic(StatGroup& g) const {
    for (const unsigned asker : config_.askers)
        for (const CountedHome& home : config_.homes)
            g.group("traffic", asker)
                .group("memory", home.memory.value)
                .group("part", home.part)
                .sum(
                    "bytes", [this, asker, home] { return bytes_between(asker, home.endpoint); }, "B",
                    "Requests of this socket to this part of the memory, and their responses.");
    for (const CountedHome& home : config_.homes)
        g.group("served")
            .group("memory", home.memory.value)
            .group("part", home.part)
            .sum(
                "bytes",
                [this, home] {
                    std::uint64_t sum = 0;
                    for (const unsigned asker : config_.askers) sum += bytes_between(asker, home.endpoint);
                    return sum;
                },
                "B", "Requests to this part of the memory, of all sockets that ask, and their responses.");
}

void NetworkFabric::add_series(SeriesGroup& machine) const {
    machine.increase(
        basename() + std::string(".packets"), [this] { return network_->packets(); }, "packets",
        "Packets that have crossed the network.");
    machine.increase(
        basename() + std::string(".channel_flits"), [this] { return channel_flits(); }, "flits",
        "Flits carried by all channels between routers.");
    machine.level(
        basename() + std::string(".packets_inside"), [this] { return network_->core().in_flight(); }, "packets",
        "Packets between two network interfaces.");
    add_error_series(machine);
    const TurningChannels& channels = network_->channels();
    for (unsigned i = 0; i < topology_.graph.channels.size(); ++i) {
        if (!channels.turns(i)) continue;
        const std::string name = basename() + std::string(".channel") + std::to_string(i);
        machine.increase(
            name + ".flits", [this, i] { return network_->core().channel_flits(i); }, "flits",
            "Flits that the channel has carried.");
        machine.level(
            name + ".lanes", [&channels, i] { return std::uint64_t{channels.lanes(i)}; }, "lanes",
            "Lanes that face this channel's way.");
    }
}

std::string NetworkFabric::holding() const {
    std::string text;
    for (unsigned i = 0; i < packages(); ++i) {
        const NetworkInterface& one = *interfaces_[i];
        if (one.held() == 0) continue;
        text += (text.empty() ? "" : "; ") + held_packets(one.held(), one.sample_held()) + " at interface " +
                std::to_string(i);
    }
    return text;
}

std::string NetworkFabric::disagreement() {
    if (std::string breach = network_->disagreement(); !breach.empty()) return breach;
    if (checkers_.empty() || ledger_.inside() == 0) return "";
    const std::string overdue = ledger_.overdue(sc_now_ps());
    return overdue.empty() ? std::to_string(ledger_.inside()) + " packets have not come out" : overdue;
}

} // namespace numavp
