#include "platform/report/run_network.h"

#include <fmt/format.h>

#include "platform/explain/explain_network.h"
#include "platform/machine/machine_network.h"
#include "platform/report/network_report.h"

namespace numavp {

void add_network(ordered_json& data, const SystemConfig& config, const ordered_json& results) {
    if (!has_network(config)) return;
    const NetworkSystem network = network_of(config, Place("results.json").at("configuration"));
    const NetworkGraph& graph = network.topology.graph;
    if (graph.routers.size() > kMostDrawnRouters) return;
    const ordered_json& counted = results.at("statistics").at("network");
    const double cycles =
        results.at("cycles").get<double>() * config.network.noc_khz / static_cast<double>(config.clock_khz);
    data["layout"] = network_layout_json(graph, network.spec);
    data["channels"] = ordered_json::array();
    for (unsigned i = 0; i < graph.channels.size(); ++i) {
        const double flits = counted.at(fmt::format("channel{}", i)).at("flits").get<double>();
        const ChannelLoad load = channel_load(network, i, cycles > 0 ? flits / cycles : 0);
        data["channels"].push_back({{"from", graph.routers[graph.channels[i].from]},
                                    {"to", graph.routers[graph.channels[i].to]},
                                    {"cycles", graph.channels[i].latency_cycles},
                                    {"gbps", network.gbps(i)},
                                    {"use", load.use},
                                    {"packets_mw", load.packets_mw},
                                    {"idle_mw", load.idle_mw}});
    }
}

} // namespace numavp
