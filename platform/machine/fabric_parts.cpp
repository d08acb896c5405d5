#include "platform/machine/fabric_parts.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/time/microseconds.h"
#include "common/system/derived.h"
#include "common/system/faulty_network.h"
#include "common/system/reduction_units.h"
#include "platform/machine/switch_build.h"
#include "platform/machine/traffic_ends.h"
#include "rtl/flit_blocks.h"
#include "tlm-links/flits/channel_cut.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

namespace {
constexpr const char* kRoutes = "the switch's routes";
constexpr unsigned kMostReplayRows = 1024; ///< in the timeline; statistics count all

/// Faults at given times, in cycles of the network.
void add_faults(PacketNetworkConfig& made, const SystemNetwork& joined, const SystemConfig& config) {
    const auto cycles = [&config](double us) { return Cycle{edges_in_us(us, config.network.noc_khz)}; };
    made.detour = joined.detour;
    made.detour_at = cycles(links_fail_at_us(config));
    for (const LaneFault& fault : channel_lane_faults(joined, config, Place("system"))) {
        for (unsigned lane = 0; lane < fault.lanes; ++lane)
            made.retired.push_back({fault.number, cycles(fault.at_us), cycles(config.faults.retrain_us)});
        made.core.errors[joined.topology.graph.channels[fault.number].link].retires = true;
    }
}
} // namespace

// --- one switch

SwitchPart::SwitchPart(unsigned, const PartResources& r)
    : r_(r), crossbar_("switch", r.config.switch_, switch_shape(r.config),
                       Crossbar::Resources{r.domain, r.route, Rank{kSystemRank, kRankSwitch, 0},
                                           Rank{kSystemRank, kRankSwitch, 1U << 16}}) {
    r.parts.fabric = this;
}

void SwitchPart::list(PartList& shown) {
    shown.add({}, "switch", crossbar_);
    shown.add({}, kRoutes, r_.route);
}

// --- a network of routers

NetworkFabricConfig NetworkPart::configuration() const {
    const NetworkSystemConfig& c = r_.config.network;
    NetworkFabricConfig made;
    NetworkCoreConfig& core = made.network.core;
    core.classes = NetworkInterface::kClasses;
    core.virtual_channels = c.virtual_channels;
    core.buffer_flits = core.eject_flits = c.buffer_bytes / c.flit_bytes;
    core.ugal_threshold = c.ugal_threshold;
    core.seed = c.seed;
    core.groups = r_.shards.workers;
    if (c.traffic_matrix) {
        TrafficEnds ends = traffic_ends(r_.config);
        made.askers = std::move(ends.askers);
        made.homes = std::move(ends.homes);
    }
    made.network.inject_flits = core.buffer_flits * 2; // a packet waits while another leaves
    made.interface.flit_bytes = c.flit_bytes;
    made.interface.queue_depth = c.queue_depth;
    made.interface.wire_depth = c.wire_depth;
    made.interface.records_per_cycle = c.records_per_cycle;
    made.records_per_cycle.resize(first_reduction_unit(r_.config));
    made.records_per_cycle.resize(end_count(r_.config), r_.config.reduction.records_per_cycle);
    made.adaptive_entry = c.routing == RoutingKind::adaptive_entry;
    made.checked = r_.config.checks.protocol;
    made.counted_packages = r_.config.sockets;
    made.energy.clear();
    made.terminals_are_channels = has_cubes(c.topology);
    return made;
}

NetworkPart::NetworkPart(unsigned, const PartResources& r) : r_(r) {
    const NetworkSystemConfig& c = r.config.network;
    NetworkFabricConfig made = configuration();
    SystemNetwork joined = system_network(r.config, Place("system"));
    for (const NetworkLink& link : joined.links) {
        made.energy.push_back({link.energy_pj_per_bit, link.idle_pj_per_bit});
        made.network.lanes.push_back(channel_lanes(link, c));
        made.network.core.errors.push_back(channel_errors(link, c));
    }
    add_faults(made.network, joined, r.config);
    if (cuts_a_channel(c))
        made.network.relay = [this, links = joined.links](const NetworkChannel& channel) {
            return make_cut(links[channel.link].dress.cut);
        };
    fabric_ = std::make_unique<NetworkFabric>("network", std::move(joined.topology), made,
                                              NetworkFabric::Resources{[&r](unsigned end) -> ClockDomain& {
                                                                           return end < r.config.sockets
                                                                                      ? r.domain_of(end)
                                                                                      : r.domain;
                                                                       },
                                                                       r.clockwork.domain(c.noc_khz), r.route});
    if (r.shards.workers > 1) r.route.share();
    observe();
    r.parts.fabric = this;
}

void NetworkPart::observe() {
    fabric_->on_replay([this, rows = 0U](const FlitReplay& replay) mutable {
        if (rows++ >= kMostReplayRows) return;
        const auto core_cycles = [this](Cycle cycles) {
            return cycles * r_.config.clock_khz / r_.config.network.noc_khz;
        };
        r_.timeline.push_back({core_cycles(replay.sent),
                               core_cycles(replay.arrives),
                               -1,
                               "errors",
                               "replay",
                               {{"channel", std::uint64_t{replay.channel}}, {"errors", std::uint64_t{replay.errors}}}});
    });
    fabric_->on_lanes([this, retired = 0U](unsigned channel, Cycle /*of the network*/, LaneSplit lanes) mutable {
        const unsigned now_retired = fabric_->network().channels().retired();
        const bool fewer = std::exchange(retired, now_retired) != now_retired;
        r_.timeline.push_back({r_.domain.now(),
                               r_.domain.now(),
                               -1,
                               "lanes",
                               fewer ? "lane retired" : "lanes turned",
                               {{"channel", std::uint64_t{channel}},
                                {"out", std::uint64_t{lanes.out}},
                                {"in", std::uint64_t{lanes.in}}}});
    });
}

/// Packages see how much the network lets through behind their links.
void NetworkPart::connect() {
    const double of_core = static_cast<double>(r_.config.network.noc_khz) / static_cast<double>(r_.config.clock_khz);
    for (unsigned s = 0; s < r_.parts.sockets.size(); ++s)
        r_.parts.sockets[s]->behind_link = {
            [this, s, of_core](Cycle cycles) {
                return fabric_->ingress_capacity_bytes(s, static_cast<double>(cycles) * of_core);
            },
            [this, s](std::uint64_t packet) { return fabric_->ingress_bytes(s, packet); }};
}

std::unique_ptr<PacketRelay> NetworkPart::make_cut(LinkCutKind kind) {
    if (kind == LinkCutKind::none) return nullptr;
    std::array<rtl::CxsRelay*, ChannelCut::kClasses> of_class{};
    for (rtl::CxsRelay*& relay : of_class) {
        if (kind != LinkCutKind::flits_rtl) continue;
        relays_.push_back(std::make_unique<rtl::FlitRelayBlock>());
        relay = relays_.back().get();
    }
    ChannelCutConfig cut;
    cut.functional = r_.pool.functional;
    cut.monitored = r_.config.checks.protocol;
    return std::make_unique<ChannelCut>(cut, of_class);
}

void NetworkPart::list(PartList& shown) {
    shown.add({}, "network", *fabric_);
    shown.add({}, kRoutes, r_.route);
}

} // namespace numavp
