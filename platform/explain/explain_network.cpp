#include "platform/explain/explain_network.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/base/config.h"
#include "platform/explain/explain_network_drawing.h"
#include "platform/machine/network_facts.h"
#include "platform/machine/network_layout.h"

namespace numavp {
namespace {

constexpr unsigned kPacketBytes = 144; ///< a line of 128 B and its header, as `numavp network` sends

/// Channels of one kind.
struct NetworkPath {
    std::string what;
    std::size_t count = 0; ///< both directions as one
    unsigned cycles = 0;
};

std::vector<NetworkPath> network_paths(const NetworkSystem& system) {
    const NetworkGraph& graph = system.topology.graph;
    const MachineNetwork& network = system.machine.networks.front();
    std::size_t requesters = 0, others = 0;
    for (const NetworkTerminal& t : graph.terminals) ++(graph.endpoints[t.endpoint].requester ? requesters : others);
    std::vector<NetworkPath> paths;
    paths.push_back({"between routers", graph.channels.size() / 2, system.spec.channel_cycles});
    paths.push_back({network.terminals + " to " + network.routers, requesters, system.spec.processor_cycles});
    if (others != 0) paths.push_back({network.routers + " to its vaults", others, system.spec.terminal_cycles});
    return paths;
}

/// "8 of 8 used at each", or "7 to 8".
std::string ports_text(const NetworkFacts& facts) {
    const auto fewer = [](const RouterPorts& a, const RouterPorts& b) {
        return a.channels + a.requesters < b.channels + b.requesters;
    };
    const auto [least, most] = std::minmax_element(facts.ports.begin(), facts.ports.end(), fewer);
    const unsigned low = least->channels + least->requesters, high = most->channels + most->requesters;
    return low == high ? std::to_string(low) : fmt::format("{} to {}", low, high);
}

std::string parts_table(const NetworkSystem& system, const NetworkFacts& facts, const Style& style) {
    const MachineNetwork& network = system.machine.networks.front();
    TextTable table({"part", "count", "ports", "used", "what"}, {true, false, false, false, true});
    for (const auto& [name, part] : system.machine.parts) {
        const bool routes = name == network.routers, sends = name == network.terminals;
        std::string used = "-", what = "not in this network";
        if (sends) {
            used = std::to_string(system.topology.graph.endpoints.front().terminals.size());
            what = "begins traffic";
        } else if (routes) {
            used = ports_text(facts);
            const unsigned others = facts.ports.front().others;
            what = others == 0
                       ? "routes"
                       : fmt::format("routes; {} more ports to its vaults, {:g} ns each way", others, part.terminal_ns);
        }
        table.row({name, grouped(part.count), part.channels == 0 ? "any" : std::to_string(part.channels), used, what});
    }
    return table.text(style);
}

std::string links_table(const NetworkSystem& system, const Style& style) {
    const double ghz = system.machine.noc_khz / 1e6;
    TextTable table({"link", "GB/s each way", "ns", "flit", "virtual channels", "buffer", "pJ/b", "idle pJ/b"});
    for (const auto& [name, link] : system.machine.links)
        table.row({name, fmt::format("{:g}", link.flit_bytes * ghz), fmt::format("{:g}", link.latency_ns),
                   fmt::format("{} B", link.flit_bytes), std::to_string(link.virtual_channels),
                   fmt::format("{} B", link.buffer_bytes), fmt::format("{:g}", link.energy_pj_per_bit),
                   fmt::format("{:g}", link.idle_pj_per_bit)});
    return table.text(style);
}

std::string paths_table(const NetworkSystem& system, const Style& style) {
    TextTable table({"channels", "count", "GB/s each way", "GB/s in all", "cycles"});
    for (const NetworkPath& p : network_paths(system))
        table.row({p.what, grouped(p.count), fmt::format("{:g}", system.gbps()),
                   fmt::format("{:g}", system.gbps() * static_cast<double>(p.count)), std::to_string(p.cycles)});
    return table.text(style);
}

std::string latency_text(const NetworkSystem& system, const NetworkFacts& facts) {
    const double ns = 1e6 / system.machine.noc_khz;
    const bool cubes = facts.ports.front().others != 0;
    std::string text =
        fmt::format("  a packet of {} B ({} flits) that meets nobody: ", kPacketBytes, system.flits(kPacketBytes));
    const auto one = [&](double cycles) { return fmt::format("{:.4g} cycles ({:.4g} ns)", cycles, cycles * ns); };
    text += cubes ? fmt::format("{} to the {}'s own {}s", one(facts.own_cycles),
                                system.machine.networks.front().terminals, system.machine.networks.front().routers)
                  : one(facts.own_cycles) + " to the node that sends it";
    if (facts.other_cycles > 0) text += fmt::format(", {} to others", one(facts.other_cycles));
    return text + "\n";
}

std::string topology_text(const NetworkSystem& system, const NetworkFacts& facts) {
    const TopologySpec& spec = system.spec;
    const NetworkGraph& graph = system.topology.graph;
    std::string text = fmt::format("  {}: {}\n", kTopologies.name(spec.topology), kTopologies.doc(spec.topology));
    text += fmt::format("  {} routing: {}\n", kRoutings.name(spec.routing), kRoutings.doc(spec.routing));
    if (has_clusters(spec.topology))
        text += fmt::format("  entry by {}: {}\n", kEntries.name(spec.entry), kEntries.doc(spec.entry));
    text += fmt::format("  {} routers at {:g} GHz, {} channels between them", graph.routers.size(),
                        system.machine.noc_khz / 1e6, graph.channels.size() / 2);
    if (!spec.dimensions.empty()) text += fmt::format(", dimensions {}", fmt::join(spec.dimensions, " x "));
    if (spec.parallel_channels > 1) text += fmt::format(", {} in the place of each", spec.parallel_channels);
    text +=
        fmt::format("\n  {:.3f} hops between routers in the mean, {} at most\n", facts.mean_hops, facts.largest_hops);
    text += latency_text(system, facts);
    text += fmt::format("  bisection: {} channels, {:g} GB/s each way, between the halves of the {}s\n",
                        facts.bisection_channels, facts.bisection_channels * system.gbps(),
                        system.machine.networks.front().terminals);
    return text;
}

ordered_json point_json(LayoutPoint p) { return {p.x, p.y}; }

} // namespace

std::string explain_network_text(const NetworkSystem& system, const Style& style) {
    const NetworkFacts facts = network_facts(system, kPacketBytes);
    std::string text = style.bold(system.machine.name) + "\n";
    if (!system.machine.description.empty()) text += "  " + system.machine.description + "\n";
    text += topology_text(system, facts);
    const std::string drawn = network_drawing(system);
    if (!drawn.empty()) text += "\n" + drawn;
    text += "\n" + style.bold("Parts") + "\n" + parts_table(system, facts, style);
    text += "\n" + style.bold("Links") + "\n" + links_table(system, style);
    text += "\n" + style.bold("Bandwidth and latency") + "\n" + paths_table(system, style);
    return text;
}

std::string explain_network_csv(const NetworkSystem& system) {
    std::string out = csv_line({"what", "count", "gbps", "latency_cycles"});
    for (const NetworkPath& p : network_paths(system))
        out += csv_line({p.what, std::to_string(p.count),
                         ordered_json(system.gbps() * static_cast<double>(p.count)).dump(), std::to_string(p.cycles)});
    return out;
}

ordered_json network_layout_json(const NetworkGraph& graph, const TopologySpec& spec) {
    const NetworkLayout layout = network_layout(graph, spec);
    ordered_json out{{"width", layout.width},
                     {"height", layout.height},
                     {"router_size", {kRouterWidth, kRouterHeight}},
                     {"processor_size", {kProcessorWidth, kProcessorHeight}}};
    out["clusters"] = ordered_json::array();
    for (const LayoutCluster& c : layout.clusters) {
        ordered_json one{{"routers", c.routers}};
        if (c.framed) one["frame"] = {c.low.x, c.low.y, c.high.x - c.low.x, c.high.y - c.low.y};
        if (c.has_processor) {
            one["processor"] = graph.endpoints[c.endpoint].name;
            one["at"] = point_json(c.processor);
        }
        out["clusters"].push_back(one);
    }
    out["routers"] = ordered_json::array();
    for (std::size_t r = 0; r < graph.routers.size(); ++r)
        out["routers"].push_back({{"name", graph.routers[r]}, {"at", point_json(layout.routers[r])}});
    for (const NetworkEndpoint& e : graph.endpoints)
        if (e.name != graph.routers[graph.terminals[e.terminals.front()].router] && layout.clusters.empty())
            out["routers"][graph.terminals[e.terminals.front()].router]["nodes"].push_back(e.name);
    out["channels"] = ordered_json::array();
    for (std::size_t c = 0; c < graph.channels.size(); ++c)
        out["channels"].push_back(
            {{"from", graph.channels[c].from}, {"to", graph.channels[c].to}, {"bend", layout.bends[c]}});
    return out;
}

ordered_json explain_network_json(const NetworkSystem& system) {
    const NetworkFacts facts = network_facts(system, kPacketBytes);
    const NetworkGraph& graph = system.topology.graph;
    ordered_json out{{"network", system.machine.name}, {"configuration", dump_machine(system.machine)}};
    out["routers"] = ordered_json::array();
    for (std::size_t r = 0; r < graph.routers.size(); ++r)
        out["routers"].push_back({{"name", graph.routers[r]},
                                  {"ports_to_routers", facts.ports[r].channels},
                                  {"ports_to_requesters", facts.ports[r].requesters},
                                  {"ports_to_vaults", facts.ports[r].others}});
    out["channels"] = graph.channels.size() / 2;
    out["channel_gbps"] = system.gbps();
    out["hops"] = {{"mean", facts.mean_hops}, {"largest", facts.largest_hops}};
    out["idle_latency"] = {
        {"packet_bytes", kPacketBytes}, {"own_cycles", facts.own_cycles}, {"other_cycles", facts.other_cycles}};
    out["bisection"] = {{"channels", facts.bisection_channels}, {"gbps", facts.bisection_channels * system.gbps()}};
    out["paths"] = ordered_json::array();
    for (const NetworkPath& p : network_paths(system))
        out["paths"].push_back({{"what", p.what},
                                {"count", p.count},
                                {"gbps", system.gbps() * static_cast<double>(p.count)},
                                {"latency_cycles", p.cycles}});
    out["layout"] = network_layout_json(graph, system.spec);
    return out;
}

} // namespace numavp
