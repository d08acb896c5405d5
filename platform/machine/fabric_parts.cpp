#include "platform/machine/fabric_parts.h"

#include <array>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "platform/machine/switch_build.h"
#include "platform/machine/traffic_ends.h"
#include "rtl/flit_blocks.h"
#include "tlm-links/flits/channel_cut.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

namespace {
constexpr const char* kRoutes = "the switch's routes";
}

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
    }
    if (cuts_a_channel(c))
        made.network.relay = [this, links = joined.links](const NetworkChannel& channel) {
            return make_cut(links[channel.link].dress.cut);
        };
    fabric_ =
        std::make_unique<NetworkFabric>("network", std::move(joined.topology), made,
                                        NetworkFabric::Resources{r.domain, r.clockwork.domain(c.noc_khz), r.route});
    fabric_->on_lanes([this](unsigned channel, Cycle /*of the network*/, LaneSplit lanes) {
        r_.timeline.push_back({r_.domain.now(),
                               r_.domain.now(),
                               -1,
                               "lanes",
                               "lanes turned",
                               {{"channel", std::uint64_t{channel}},
                                {"out", std::uint64_t{lanes.out}},
                                {"in", std::uint64_t{lanes.in}}}});
    });
    r.parts.fabric = this;
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
