#include "platform/results/channel_use.h"

#include <fmt/format.h>

namespace numavp {

namespace {
/// Mean number of lanes that faced the way of a channel made of lanes, over those wired so; 1 for other channels.
double mean_lanes(const ordered_json& counted, const SystemConfig& config, const NetworkChannel& channel,
                  double cycles) {
    if (!counted.contains("lane_cycles") || cycles <= 0) return 1.0;
    const unsigned wired = config.network.links.at(channel.link - 1).lanes; // the common channel has none
    return counted.at("lane_cycles").get<double>() / (cycles * wired);
}
} // namespace

std::vector<ChannelUse> channel_uses(const SystemConfig& config, const NetworkSystem& network,
                                     const ordered_json& results) {
    std::vector<ChannelUse> uses;
    const auto counted = results.at("statistics").find("network");
    if (counted == results.at("statistics").end()) return uses;
    const NetworkGraph& graph = network.topology.graph;
    const double ns = results.at("time_ns").get<double>();
    const double cycles = ns * config.network.noc_khz / 1e6;
    for (unsigned i = 0; i < graph.channels.size(); ++i) {
        const ordered_json& one = counted->at(fmt::format("channel{}", i));
        const double flits = one.contains("wire_bytes") ? one.at("wire_bytes").get<double>() / config.network.flit_bytes
                                                        : one.at("flits").get<double>();
        const double lanes = mean_lanes(one, config, graph.channels[i], cycles);
        ChannelUse& use = uses.emplace_back();
        if (const unsigned link = graph.channels[i].link; link != 0) use.link = config.network.links.at(link - 1).name;
        use.gbps = network.gbps(i) * lanes;
        use.load = channel_load(network, i, cycles > 0 ? flits / cycles : 0, lanes);
        use.energy_pj = (use.load.packets_mw + use.load.idle_mw) * ns; // mW are pJ/ns
    }
    return uses;
}

} // namespace numavp
