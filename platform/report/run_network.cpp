#include "platform/report/run_network.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "platform/explain/explain_network.h"
#include "platform/machine/machine_network.h"
#include "platform/machine/memory_choice.h"
#include "platform/machine/traffic_ends.h"
#include "platform/report/network_report.h"

namespace numavp {

namespace {

/// Columns of the memory near socket `asker`. Null for the host's core, and where another GPU has some of it near too.
ordered_json own_columns(const SystemConfig& config, const TrafficEnds& ends,
                         const std::vector<std::vector<SocketId>>& near, unsigned asker) {
    const auto has = [&](unsigned socket, unsigned memory) {
        return config.socket_at(socket).sms != 0 &&
               std::find(near[socket].begin(), near[socket].end(), SocketId(memory)) != near[socket].end();
    };
    ordered_json columns = nullptr;
    for (std::size_t h = 0; h < ends.homes.size(); ++h) {
        const unsigned memory = ends.homes[h].memory;
        if (!has(asker, memory)) continue;
        for (const unsigned other : ends.askers)
            if (other != asker && has(other, memory)) return nullptr;
        if (columns.is_null()) columns = {h, h};
        columns[1] = h;
    }
    return columns;
}

void add_traffic(ordered_json& data, const SystemConfig& config, const ordered_json& network) {
    const TrafficEnds ends = traffic_ends(config);
    const std::vector<std::vector<SocketId>> near = near_memories(config);
    ordered_json& made = data["traffic"];
    made = {{"askers", ends.askers},
            {"homes", ordered_json::array()},
            {"bytes", ordered_json::array()},
            {"own", ordered_json::array()}};
    for (const CountedHome& home : ends.homes) made["homes"].push_back(home.endpoint);
    for (const unsigned asker : ends.askers) {
        const ordered_json& counted = network.at(fmt::format("traffic{}", asker));
        ordered_json row = ordered_json::array();
        for (const CountedHome& home : ends.homes)
            row.push_back(
                counted.at(fmt::format("memory{}", home.memory)).at(fmt::format("part{}", home.part)).at("bytes"));
        made["bytes"].push_back(std::move(row));
        made["own"].push_back(own_columns(config, ends, near, asker));
    }
}

/// Of a channel made of lanes: those that faced its way in the mean, over those that are wired so; else 1.
double mean_lanes(const ordered_json& counted, const SystemConfig& config, const NetworkChannel& channel,
                  double cycles) {
    if (!counted.contains("lane_cycles") || cycles <= 0) return 1.0;
    const unsigned wired = config.network.links.at(channel.link - 1).lanes; // the common channel has none
    return counted.at("lane_cycles").get<double>() / (cycles * wired);
}

} // namespace

void add_network(ordered_json& data, const SystemConfig& config, const ordered_json& results) {
    if (!has_network(config)) return;
    if (config.network.traffic_matrix) add_traffic(data, config, results.at("statistics").at("network"));
    const NetworkSystem network = network_of(config, Place("results.json").at("configuration"));
    const NetworkGraph& graph = network.topology.graph;
    if (graph.routers.size() > kMostDrawnRouters) return;
    const ordered_json& counted = results.at("statistics").at("network");
    const double cycles =
        results.at("cycles").get<double>() * config.network.noc_khz / static_cast<double>(config.clock_khz);
    data["layout"] = network_layout_json(graph, network.spec);
    data["channels"] = ordered_json::array();
    for (unsigned i = 0; i < graph.channels.size(); ++i) {
        const ordered_json& one = counted.at(fmt::format("channel{}", i));
        const double flits = one.contains("wire_bytes") ? one.at("wire_bytes").get<double>() / config.network.flit_bytes
                                                        : one.at("flits").get<double>();
        const double lanes = mean_lanes(one, config, graph.channels[i], cycles);
        const ChannelLoad load = channel_load(network, i, cycles > 0 ? flits / cycles : 0, lanes);
        data["channels"].push_back({{"from", graph.routers[graph.channels[i].from]},
                                    {"to", graph.routers[graph.channels[i].to]},
                                    {"cycles", graph.channels[i].latency_cycles},
                                    {"gbps", network.gbps(i) * lanes},
                                    {"use", load.use},
                                    {"packets_mw", load.packets_mw},
                                    {"idle_mw", load.idle_mw}});
    }
}

} // namespace numavp
