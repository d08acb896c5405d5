// The network of routers that may stand between the links of the sockets, in the place of the switch.
#include <fmt/format.h>

#include "common/system/derived.h"
#include "platform/machine/system_impl.h"
#include "platform/machine/traffic_ends.h"
#include "rtl/flit_blocks.h"
#include "tlm-links/flits/channel_cut.h"

namespace numavp {

void System::Impl::build_network() {
    const NetworkSystemConfig& c = config.network;
    NetworkFabricConfig made;
    NetworkCoreConfig& core = made.network.core;
    core.classes = NetworkInterface::kClasses;
    core.virtual_channels = c.virtual_channels;
    core.buffer_flits = core.eject_flits = c.buffer_bytes / c.flit_bytes;
    core.ugal_threshold = c.ugal_threshold;
    core.seed = c.seed;
    if (c.traffic_matrix) {
        TrafficEnds ends = traffic_ends(config);
        made.askers = std::move(ends.askers);
        made.homes = std::move(ends.homes);
    }
    made.network.inject_flits = core.buffer_flits * 2; // a packet waits while another leaves
    made.interface.flit_bytes = c.flit_bytes;
    made.interface.queue_depth = c.queue_depth;
    made.interface.wire_depth = c.wire_depth;
    made.interface.records_per_cycle = c.records_per_cycle;
    made.adaptive_entry = c.routing == RoutingKind::adaptive_entry;
    made.checked = config.checks.protocol;
    made.counted_packages = config.sockets;
    SystemNetwork joined = system_network(config, Place("system"));
    made.energy.clear();
    for (const NetworkLink& link : joined.links) {
        made.energy.push_back({link.energy_pj_per_bit, link.idle_pj_per_bit});
        made.network.lanes.push_back(channel_lanes(link, c));
    }
    if (cuts_a_channel(c))
        made.network.relay = [this, links = joined.links](const NetworkChannel& channel) {
            return make_channel_cut(links[channel.link].dress.cut);
        };
    made.terminals_are_channels = has_cubes(c.topology);
    network = std::make_unique<NetworkFabric>("network", std::move(joined.topology), made,
                                              NetworkFabric::Resources{domain, clockwork.domain(c.noc_khz), route});
    const double of_core = static_cast<double>(c.noc_khz) / static_cast<double>(config.clock_khz);
    for (unsigned s = 0; s < config.sockets; ++s)
        sockets[s]->behind_link = {[this, s, of_core](Cycle cycles) {
                                       return network->ingress_capacity_bytes(s, static_cast<double>(cycles) * of_core);
                                   },
                                   [this, s](std::uint64_t packet) { return network->ingress_bytes(s, packet); }};
    network->on_lanes([this](unsigned channel, Cycle /*of the network*/, LaneSplit lanes) {
        timeline.push_back({domain.now(),
                            domain.now(),
                            -1,
                            "lanes",
                            "lanes turned",
                            {{"channel", std::uint64_t{channel}},
                             {"out", std::uint64_t{lanes.out}},
                             {"in", std::uint64_t{lanes.in}}}});
    });
}

std::unique_ptr<PacketRelay> System::Impl::make_channel_cut(LinkCutKind kind) {
    if (kind == LinkCutKind::none) return nullptr;
    std::array<rtl::CxsRelay*, ChannelCut::kClasses> of_class{};
    for (rtl::CxsRelay*& relay : of_class) {
        if (kind != LinkCutKind::flits_rtl) continue;
        relays.push_back(std::make_unique<rtl::FlitRelayBlock>());
        relay = relays.back().get();
    }
    ChannelCutConfig cut;
    cut.functional = pool.functional;
    cut.monitored = config.checks.protocol;
    return std::make_unique<ChannelCut>(cut, of_class);
}

tlm::tlm_target_socket<>& System::Impl::fabric_in(unsigned port) {
    return network ? network->ingress(port) : fabric->ingress(port);
}

tlm::tlm_initiator_socket<>& System::Impl::fabric_out(unsigned port) {
    return network ? network->egress(port) : fabric->egress(port);
}

} // namespace numavp
