#include "platform/explain/explain_network.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/system/narrow_ends.h"
#include "platform/explain/explain_network_drawing.h"
#include "platform/explain/gpu_matrix.h"
#include "platform/explain/network_layout.h"
#include "platform/network/network_facts.h"

namespace numavp {
namespace {

constexpr unsigned kPacketBytes = 144; ///< a line of 128 B and its header, as `numavp network` sends

/// Parts between which distances are found, each two by themselves.
constexpr std::size_t kMostDistant = 1024;

bool has_distances(const NetworkSystem& system) { return system.topology.graph.endpoints.size() <= kMostDistant; }

bool of_cubes(const NetworkSystem& system) { return has_cubes(system.settings().topology); }

bool of_wires(const NetworkSystem& system) { return system.settings().topology == FabricKind::wires; }

std::string latency_text(const NetworkSystem& system, const NetworkFacts& facts) {
    const double ns = 1e6 / system.settings().noc_khz;
    std::string text =
        fmt::format("  a packet of {} B ({} flits) that meets nobody: ", kPacketBytes, system.flits(kPacketBytes));
    const auto one = [&](double cycles) { return fmt::format("{:.4g} cycles ({:.4g} ns)", cycles, cycles * ns); };
    const WiredParts parts(system.config);
    text += of_cubes(system) ? fmt::format("{} to the {}'s own {}s", one(facts.own_cycles), parts.name_of(0),
                                           parts.name_of(system.spec.processors))
                             : one(facts.own_cycles) + " to the part that sends it";
    if (facts.other_cycles > 0) text += fmt::format(", {} to others", one(facts.other_cycles));
    return text + "\n";
}

/// "3 to 5, and 4 to its vaults": channels to routers and to those that begin traffic, of a router.
std::string ports_text(const std::vector<RouterPorts>& ports) {
    const auto fewer = [](const RouterPorts& a, const RouterPorts& b) {
        return a.channels + a.requesters < b.channels + b.requesters;
    };
    const auto [least, most] = std::minmax_element(ports.begin(), ports.end(), fewer);
    const unsigned low = least->channels + least->requesters, high = most->channels + most->requesters;
    const std::string text = low == high ? std::to_string(low) : fmt::format("{} to {}", low, high);
    const unsigned others = ports.front().others; // of cubes, which are alike
    return text + (others == 0 ? "" : fmt::format(", and {} to its vaults", others));
}

std::string distances_text(const NetworkSystem& system) {
    if (!has_distances(system))
        return fmt::format("  distances are left out: there are more than {} parts\n", kMostDistant);
    const NetworkFacts facts = network_facts(system, kPacketBytes);
    std::string text =
        fmt::format("  {:.3f} hops between routers in the mean, {} at most\n", facts.mean_hops, facts.largest_hops);
    text += latency_text(system, facts);
    if (of_wires(system))
        return text + "  (by the ways for packets between any two parts, as numavp network has them)\n";
    return text + fmt::format("  bisection: {} channels, {:g} GB/s each way, between the halves of the {}s\n",
                              facts.bisection_channels, facts.bisection_channels * system.gbps(),
                              WiredParts(system.config).name_of(0));
}

std::string topology_text(const NetworkSystem& system) {
    const TopologySpec& spec = system.spec;
    const NetworkSystemConfig& settings = system.settings();
    const NetworkGraph& graph = system.topology.graph;
    const std::size_t routers = graph.routers.size(), channels = graph.channels.size() / 2;
    std::string text = fmt::format("  {}: {}\n", kFabrics.name(settings.topology), kFabrics.doc(settings.topology));
    text += fmt::format("  {} routing: {}\n", kRoutings.name(settings.routing), kRoutings.doc(settings.routing));
    if (of_cubes(system))
        text += fmt::format("  entry by {}: {}\n", kEntries.name(settings.entry), kEntries.doc(settings.entry));
    text += fmt::format("  {} router{} at {:g} GHz, {} channel{} between them", routers, routers == 1 ? "" : "s",
                        settings.noc_khz / 1e6, channels, channels == 1 ? "" : "s");
    if (!spec.dimensions.empty()) text += fmt::format(", dimensions {}", fmt::join(spec.dimensions, " x "));
    if (spec.parallel_channels > 1) text += fmt::format(", {} in the place of each", spec.parallel_channels);
    text += "\n" + distances_text(system);
    return text + "  ports of a router to routers and requesters: " + ports_text(router_ports(graph)) + "\n";
}

ordered_json point_json(LayoutPoint p) { return {p.x, p.y}; }

} // namespace

std::vector<NetworkPath> terminal_paths(const NetworkSystem& system) {
    const NetworkGraph& graph = system.topology.graph;
    const WiredParts parts(system.config);
    const bool cubes = of_cubes(system);
    std::vector<NetworkPath> paths;
    const auto add = [&](const std::string& what, std::size_t count, unsigned cycles) {
        for (NetworkPath& path : paths)
            if (path.what == what) {
                path.count += count;
                return;
            }
        paths.push_back({what, count, cycles});
    };
    for (unsigned e = 0; e < graph.endpoints.size(); ++e) {
        const NetworkEndpoint& endpoint = graph.endpoints[e];
        const unsigned cycles = graph.terminals[endpoint.terminals.front()].latency_cycles;
        const std::string& name = parts.name_of(e);
        std::string what = name + " to router";
        if (cubes)
            what = endpoint.requester ? name + " to " + parts.name_of(system.spec.processors) : name + " to its vaults";
        add(what, endpoint.terminals.size(), cycles);
    }
    return paths;
}

std::string explain_network_text(const NetworkSystem& system, const Style& style) {
    std::string text = topology_text(system);
    for (const std::string& sentence : narrow_ends(system.config, system)) text += "  " + sentence + "\n";
    const std::string pairs = gpu_matrix_text(gpu_matrix(system, kPacketBytes), style);
    if (!pairs.empty())
        text += fmt::format("\n{}\n{}", style.bold("Each two GPUs, and the time of a packet that meets nobody"), pairs);
    if (of_wires(system)) return text;
    const std::string drawn = network_drawing(system);
    return drawn.empty() ? text : text + "\n" + drawn;
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

namespace {
void add_facts(const NetworkSystem& system, ordered_json& out) {
    const NetworkFacts facts = network_facts(system, kPacketBytes);
    out["hops"] = {{"mean", facts.mean_hops}, {"largest", facts.largest_hops}};
    out["idle_latency"] = {
        {"packet_bytes", kPacketBytes}, {"own_cycles", facts.own_cycles}, {"other_cycles", facts.other_cycles}};
    if (of_wires(system)) return;
    out["bisection"] = {{"channels", facts.bisection_channels}, {"gbps", facts.bisection_channels * system.gbps()}};
}
} // namespace

ordered_json explain_network_json(const NetworkSystem& system) {
    const NetworkGraph& graph = system.topology.graph;
    ordered_json out{{"routers", graph.routers}, {"channels", ordered_json::array()}};
    for (unsigned c = 0; c < graph.channels.size(); ++c) {
        const NetworkChannel& channel = graph.channels[c];
        out["channels"].push_back(
            {{"from", graph.routers[channel.from]},
             {"to", graph.routers[channel.to]},
             {"link", system.links[channel.link].name},
             {"gbps", system.gbps(c)},
             {"latency_ns", (channel.latency_cycles + channel.tail_cycles()) * 1e6 / system.settings().noc_khz}});
    }
    out["terminals"] = ordered_json::array();
    for (const NetworkPath& p : terminal_paths(system))
        out["terminals"].push_back(
            {{"what", p.what}, {"count", p.count}, {"gbps", system.gbps()}, {"latency_cycles", p.cycles}});
    out["ports"] = ordered_json::array();
    for (const RouterPorts& ports : router_ports(graph))
        out["ports"].push_back(
            {{"to_routers", ports.channels}, {"to_requesters", ports.requesters}, {"to_vaults", ports.others}});
    if (has_distances(system)) add_facts(system, out);
    if (!of_wires(system)) out["layout"] = network_layout_json(graph, system.spec);
    if (of_wires(system)) out["gpu_pairs"] = gpu_matrix_json(gpu_matrix(system, kPacketBytes));
    if (of_wires(system)) out["narrow_ends"] = narrow_ends(system.config, system);
    return out;
}

} // namespace numavp
