#include "platform/report/run_network.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/explain/explain_network.h"
#include "platform/report/network_report.h"

namespace numavp {

void add_network(ordered_json& data, const SystemConfig& config, const ordered_json& results) {
    if (!has_network(config)) return;
    const NetworkSystemConfig& c = config.network;
    const SystemNetwork network = system_network(config, Place("results.json").at("configuration").at("network"));
    const NetworkGraph& graph = network.topology.graph;
    if (graph.routers.size() > kMostDrawnRouters) return;
    const ordered_json& counted = results.at("statistics").at("network");
    const double cycles = results.at("cycles").get<double>() * c.noc_khz / static_cast<double>(config.clock_khz);
    const MachineLink link{c.channel_ns,   c.flit_bytes,        c.virtual_channels,
                           c.buffer_bytes, c.energy_pj_per_bit, c.idle_pj_per_bit};
    data["channel_gbps"] = channel_bytes_per_s(c) / 1e9;
    data["layout"] = network_layout_json(graph, network.spec);
    data["channels"] = ordered_json::array();
    for (std::size_t i = 0; i < graph.channels.size(); ++i) {
        const double flits = counted.at(fmt::format("channel{}", i)).at("flits").get<double>();
        const double use = cycles > 0 ? std::min(1.0, flits / cycles) : 0;
        const ChannelPower power = channel_power(link, c.noc_khz, use);
        data["channels"].push_back({{"from", graph.routers[graph.channels[i].from]},
                                    {"to", graph.routers[graph.channels[i].to]},
                                    {"cycles", graph.channels[i].latency_cycles},
                                    {"use", use},
                                    {"packets_mw", power.packets_mw},
                                    {"idle_mw", power.idle_mw}});
    }
}

} // namespace numavp
