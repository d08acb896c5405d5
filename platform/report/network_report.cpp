#include "platform/report/network_report.h"

#include "platform/explain/explain_network.h"
#include "platform/network/network_facts.h"

namespace numavp {
namespace {

ordered_json points_json(const NetworkRun& run) {
    ordered_json points = ordered_json::array();
    for (const LoadPoint& p : run.points) {
        ordered_json row{{"rate", p.rate},      {"saturated", p.saturated}, {"accepted_rate", p.accepted_rate},
                         {"hops", p.routers},   {"packets", p.packets},     {"precision", p.precision},
                         {"precise", p.precise}};
        if (!p.saturated) {
            row["latency_cycles"] = p.latency_cycles;
            if (run.load.requests) row.update({{"request_cycles", p.request_cycles}, {"reply_cycles", p.reply_cycles}});
        }
        points.push_back(row);
    }
    return points;
}

ordered_json channels_json(const NetworkRun& run, const LoadPoint& point) {
    const NetworkGraph& graph = run.system.topology.graph;
    ordered_json channels = ordered_json::array();
    for (std::size_t c = 0; c < graph.channels.size(); ++c) {
        const auto channel = static_cast<unsigned>(c);
        const ChannelLoad load = channel_load(run.system, channel, point.channel_use[c]);
        channels.push_back({{"from", graph.routers[graph.channels[c].from]},
                            {"to", graph.routers[graph.channels[c].to]},
                            {"cycles", graph.channels[c].latency_cycles},
                            {"gbps", run.system.gbps(channel)},
                            {"use", load.use},
                            {"packets_mw", load.packets_mw},
                            {"idle_mw", load.idle_mw}});
    }
    return channels;
}

} // namespace

std::size_t shown_point(const std::vector<LoadPoint>& points) {
    std::size_t found = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const LoadPoint &a = points[i], &b = points[found];
        if (a.saturated != b.saturated ? b.saturated : (a.rate > b.rate) != a.saturated) found = i;
    }
    return found;
}

ReportPage network_report(const NetworkRun& run, const LoadTest& test) {
    const NetworkSystem& system = run.system;
    const NetworkGraph& graph = system.topology.graph;
    const LoadPoint& shown = run.points[shown_point(run.points)];
    ReportPage page;
    page.title = system.config.name + " under " + run.traffic + " traffic";
    page.scripts = {"base.js",           "figure.js",         "table.js",  "topology.js",
                    "network_figure.js", "network_curves.js", "network.js"};
    page.data = {{"kind", "network"},
                 {"network", system.config.name},
                 {"description", system.config.description},
                 {"traffic", run.traffic},
                 {"packet_bytes", run.packet_bytes},
                 {"packet_flits", run.load.packet_flits},
                 {"requests", run.load.requests},
                 {"noc_khz", system.settings().noc_khz},
                 {"configuration", dump_config(system.config)},
                 {"routers", graph.routers.size()},
                 {"terminals", test.traffic().sources().size()},
                 {"requester_terminals", test.traffic().requester_terminals()},
                 {"channel_gbps", system.gbps_text()},
                 {"idle_cycles", test.idle_cycles()},
                 {"idle_routers", test.idle_routers()}};
    if (run.load.requests)
        page.data.update(
            {{"idle_request_cycles", test.idle_request_cycles()}, {"idle_reply_cycles", test.idle_reply_cycles()}});
    if (run.saturation > 0) page.data["saturation"] = run.saturation;
    page.data["points"] = points_json(run);
    page.data["use_rate"] = shown.rate;
    page.data["use_saturated"] = shown.saturated;
    page.data["use_accepted"] = shown.accepted_rate;
    page.data["channels"] = channels_json(run, shown);
    if (graph.routers.size() <= kMostDrawnRouters) page.data["layout"] = network_layout_json(graph, system.spec);
    return page;
}

} // namespace numavp
