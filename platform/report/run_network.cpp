#include "platform/report/run_network.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "common/system/memory_choice.h"
#include "common/system/network_alone.h"
#include "platform/explain/explain_network.h"
#include "platform/machine/traffic_ends.h"
#include "platform/report/network_report.h"
#include "platform/results/channel_use.h"

namespace numavp {

namespace {

/// Columns of the memory near socket `asker`. Null for the host's core, and where another GPU has some of it near too.
ordered_json own_columns(const SystemConfig& config, const TrafficEnds& ends,
                         const std::vector<std::vector<MemoryId>>& near, unsigned asker) {
    const auto has = [&](unsigned socket, MemoryId memory) {
        return config.socket_at(socket).sms != 0 &&
               std::find(near[socket].begin(), near[socket].end(), memory) != near[socket].end();
    };
    ordered_json columns = nullptr;
    for (std::size_t h = 0; h < ends.homes.size(); ++h) {
        const MemoryId memory = ends.homes[h].memory;
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
    const std::vector<std::vector<MemoryId>> near = near_memories(config);
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
            row.push_back(counted.at(fmt::format("memory{}", home.memory.value))
                              .at(fmt::format("part{}", home.part))
                              .at("bytes"));
        made["bytes"].push_back(std::move(row));
        made["own"].push_back(own_columns(config, ends, near, asker));
    }
}

} // namespace

void add_network(ordered_json& data, const SystemConfig& config, const ordered_json& results) {
    if (!has_network(config)) return;
    if (config.network.traffic_matrix) add_traffic(data, config, results.at("statistics").at("network"));
    const NetworkSystem network = network_of(config, Place("results.json").at("configuration"));
    const NetworkGraph& graph = network.topology.graph;
    if (graph.routers.size() <= kMostDrawnRouters) data["layout"] = network_layout_json(graph, network.spec);
    data["channels"] = ordered_json::array();
    const std::vector<ChannelUse> uses = channel_uses(config, network, results);
    if (uses.empty()) return;
    for (unsigned i = 0; i < graph.channels.size(); ++i) {
        const ChannelUse& one = uses.at(i);
        data["channels"].push_back({{"from", graph.routers[graph.channels[i].from]},
                                    {"to", graph.routers[graph.channels[i].to]},
                                    {"link", one.link},
                                    {"cycles", graph.channels[i].latency_cycles + graph.channels[i].tail_cycles()},
                                    {"gbps", one.gbps},
                                    {"use", one.load.use},
                                    {"packets_mw", one.load.packets_mw},
                                    {"idle_mw", one.load.idle_mw},
                                    {"energy_uj", one.energy_pj / 1e6}});
    }
}

} // namespace numavp
