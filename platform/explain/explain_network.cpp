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

/// Endpoints times endpoints of which distances are found one by one; a network of more has no means.
constexpr std::size_t kMostPairs = 1U << 20U;

bool has_facts(const NetworkSystem& system) {
    const std::size_t ends = system.topology.graph.endpoints.size();
    return ends * ends <= kMostPairs;
}

bool of_cubes(const NetworkSystem& system) { return has_cubes(system.settings().topology); }

/// Names of the parts that begin traffic, and of those that route or, among nodes, take it.
struct EndNames {
    std::string requester, other;
};
EndNames end_names(const NetworkSystem& system) {
    const WiredParts parts(system.config);
    if (of_cubes(system)) return {parts.name_of(0), parts.name_of(system.spec.processors)};
    return {parts.name_of(0), "router"};
}

/// Channels and terminals of one kind.
struct NetworkPath {
    std::string what;
    std::size_t count = 0; ///< both directions as one
    unsigned cycles = 0;
};

/// Channels between routers are rows of the table of bandwidths; here are those of sockets.
std::vector<NetworkPath> terminal_paths(const NetworkSystem& system) {
    const NetworkGraph& graph = system.topology.graph;
    const EndNames names = end_names(system);
    std::size_t requesters = 0, others = 0;
    for (const NetworkTerminal& t : graph.terminals) ++(graph.endpoints[t.endpoint].requester ? requesters : others);
    std::vector<NetworkPath> paths;
    paths.push_back({names.requester + " to " + names.other, requesters, system.spec.processor_cycles});
    if (others != 0) paths.push_back({names.other + " to its vaults", others, system.spec.terminal_cycles});
    return paths;
}

std::string latency_text(const NetworkSystem& system, const NetworkFacts& facts) {
    const double ns = 1e6 / system.settings().noc_khz;
    std::string text =
        fmt::format("  a packet of {} B ({} flits) that meets nobody: ", kPacketBytes, system.flits(kPacketBytes));
    const auto one = [&](double cycles) { return fmt::format("{:.4g} cycles ({:.4g} ns)", cycles, cycles * ns); };
    const EndNames names = end_names(system);
    text += of_cubes(system)
                ? fmt::format("{} to the {}'s own {}s", one(facts.own_cycles), names.requester, names.other)
                : one(facts.own_cycles) + " to the part that sends it";
    if (facts.other_cycles > 0) text += fmt::format(", {} to others", one(facts.other_cycles));
    return text + "\n";
}

/// "3 to 5, of 8": channels to routers and to those that begin traffic, of a router.
std::string ports_text(const NetworkSystem& system, const NetworkFacts& facts) {
    const auto fewer = [](const RouterPorts& a, const RouterPorts& b) {
        return a.channels + a.requesters < b.channels + b.requesters;
    };
    const auto [least, most] = std::minmax_element(facts.ports.begin(), facts.ports.end(), fewer);
    const unsigned low = least->channels + least->requesters, high = most->channels + most->requesters;
    std::string text = low == high ? std::to_string(low) : fmt::format("{} to {}", low, high);
    if (system.spec.router_channels != 0) text += fmt::format(", of {}", system.spec.router_channels);
    const unsigned others = facts.ports.front().others;
    return text + (others == 0 ? "" : fmt::format(", and {} to its vaults", others));
}

std::string facts_text(const NetworkSystem& system) {
    const NetworkFacts facts = network_facts(system, kPacketBytes);
    std::string text =
        fmt::format("  {:.3f} hops between routers in the mean, {} at most\n", facts.mean_hops, facts.largest_hops);
    text += latency_text(system, facts);
    if (system.settings().topology != FabricKind::wires) // its parts are in no order of which half is a half
        text += fmt::format("  bisection: {} channels, {:g} GB/s each way, between the halves of the {}s\n",
                            facts.bisection_channels, facts.bisection_channels * system.gbps(),
                            end_names(system).requester);
    return text + "  ports of a router to routers and requesters: " + ports_text(system, facts) + "\n";
}

std::string topology_text(const NetworkSystem& system) {
    const TopologySpec& spec = system.spec;
    const NetworkSystemConfig& settings = system.settings();
    const NetworkGraph& graph = system.topology.graph;
    std::string text = fmt::format("  {}: {}\n", kFabrics.name(settings.topology), kFabrics.doc(settings.topology));
    text += fmt::format("  {} routing: {}\n", kRoutings.name(settings.routing), kRoutings.doc(settings.routing));
    if (of_cubes(system))
        text += fmt::format("  entry by {}: {}\n", kEntries.name(settings.entry), kEntries.doc(settings.entry));
    text += fmt::format("  {} routers at {:g} GHz, {} channels between them", graph.routers.size(),
                        settings.noc_khz / 1e6, graph.channels.size() / 2);
    if (!spec.dimensions.empty()) text += fmt::format(", dimensions {}", fmt::join(spec.dimensions, " x "));
    if (spec.parallel_channels > 1) text += fmt::format(", {} in the place of each", spec.parallel_channels);
    text += "\n";
    for (const NetworkPath& p : terminal_paths(system))
        text += fmt::format("  {} ports of {:g} GB/s each way, {}, {} cycle{}\n", grouped(p.count), system.gbps(),
                            p.what, p.cycles, p.cycles == 1 ? "" : "s");
    if (has_facts(system)) text += facts_text(system);
    return text;
}

ordered_json point_json(LayoutPoint p) { return {p.x, p.y}; }

} // namespace

std::string explain_network_text(const NetworkSystem& system) {
    std::string text = topology_text(system);
    if (system.settings().topology == FabricKind::wires) return text;
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
    out["ports"] = ordered_json::array();
    for (const RouterPorts& ports : facts.ports)
        out["ports"].push_back(
            {{"to_routers", ports.channels}, {"to_requesters", ports.requesters}, {"to_vaults", ports.others}});
    out["hops"] = {{"mean", facts.mean_hops}, {"largest", facts.largest_hops}};
    out["idle_latency"] = {
        {"packet_bytes", kPacketBytes}, {"own_cycles", facts.own_cycles}, {"other_cycles", facts.other_cycles}};
    if (system.settings().topology == FabricKind::wires) return;
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
             {"link", system.kinds[channel.link].name},
             {"gbps", system.gbps(c)},
             {"latency_ns", (channel.latency_cycles + channel.tail_cycles()) * 1e6 / system.settings().noc_khz}});
    }
    out["terminals"] = ordered_json::array();
    for (const NetworkPath& p : terminal_paths(system))
        out["terminals"].push_back(
            {{"what", p.what}, {"count", p.count}, {"gbps", system.gbps()}, {"latency_cycles", p.cycles}});
    if (has_facts(system)) add_facts(system, out);
    if (system.settings().topology != FabricKind::wires) out["layout"] = network_layout_json(graph, system.spec);
    return out;
}

} // namespace numavp
