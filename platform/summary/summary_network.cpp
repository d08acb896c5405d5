#include "platform/summary/summary_network.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/results/channel_use.h"
#include "platform/summary/summary_statistics.h"
#include "platform/summary/summary_words.h"

namespace numavp {
namespace {

/// "gpu" of "gpu[3]".
std::string kind_of(const std::string& name) { return name.substr(0, name.find('[')); }

ChannelKindSummary& kind_at(std::vector<ChannelKindSummary>& kinds, const std::string& from, const std::string& to,
                            const std::string& link) {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const ChannelKindSummary& k) {
        return k.link == link && ((k.from == from && k.to == to) || (k.from == to && k.to == from));
    });
    if (found != kinds.end()) return *found;
    ChannelKindSummary& made = kinds.emplace_back();
    made.from = from;
    made.to = to;
    made.link = link;
    return made;
}

std::vector<ChannelKindSummary> summarise_channels(const NetworkGraph& graph, const std::vector<ChannelUse>& uses) {
    std::vector<ChannelKindSummary> kinds;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const std::string &from = graph.routers[graph.channels[i].from], &to = graph.routers[graph.channels[i].to];
        ChannelKindSummary& kind = kind_at(kinds, kind_of(from), kind_of(to), uses[i].link);
        ++kind.channels; // directions, until the end
        kind.gbps += uses[i].gbps;
        kind.carried_gbps += uses[i].gbps * uses[i].load.use;
        kind.use += uses[i].load.use;
        kind.energy_pj += uses[i].energy_pj;
        if (!kind.busiest.empty() && uses[i].load.use <= kind.busiest_use) continue;
        kind.busiest = from;
        kind.busiest.append(" to ").append(to);
        kind.busiest_use = uses[i].load.use;
    }
    for (ChannelKindSummary& kind : kinds) {
        for (double* sum : {&kind.gbps, &kind.carried_gbps, &kind.use}) *sum /= kind.channels;
        kind.channels /= 2;
    }
    return kinds;
}

/// "  by routers passed: 1 in 40.1 ns (25 %), 2 in 52.8 ns (75 %)"; nothing if all passed as many.
std::string hops_text(const std::vector<HopSummary>& hops) {
    std::uint64_t packets = 0;
    std::vector<std::string> parts;
    for (const HopSummary& h : hops) packets += h.packets;
    for (const HopSummary& h : hops)
        if (h.latency_ns)
            parts.push_back(fmt::format("{}{} in {:.1f} ns ({})", h.routers, h.or_more ? " or more" : "", *h.latency_ns,
                                        percent_of(static_cast<double>(h.packets) / static_cast<double>(packets))));
    return parts.size() < 2 ? "" : fmt::format("  by routers passed: {}\n", fmt::join(parts, ", "));
}

} // namespace

std::optional<NetworkSummary> summarise_network(const SystemConfig& config, const ordered_json& results) {
    if (!has_network(config)) return std::nullopt;
    const SummaryStatistics s(results.at("statistics"), "network.");
    const std::optional<std::uint64_t> packets = s.count("packets");
    if (!packets) return std::nullopt;
    NetworkSummary out;
    out.packets = *packets;
    const auto count = static_cast<double>(*packets);
    out.routers = ratio(s.real("routers_passed"), count);
    if (const auto ps = ratio(s.real("latency_ps"), count)) out.latency_ns = *ps / 1e3;
    out.energy_pj = s.real("energy_pj");
    out.idle_energy_pj = s.real("idle_energy_pj");
    double counted = 0; // routers, if the last class had no longer ways
    for (unsigned n = 1;; ++n) {
        const std::string group = fmt::format("by_routers{}.", n);
        const std::optional<std::uint64_t> alike = s.count(group + "packets");
        if (!alike) break;
        const auto ps = ratio(s.real(group + "latency_ps"), static_cast<double>(*alike));
        out.hops.push_back({n, false, *alike, ps ? std::optional<double>(*ps / 1e3) : std::nullopt});
        counted += static_cast<double>(n) * static_cast<double>(*alike);
    }
    if (!out.hops.empty()) out.hops.back().or_more = s.real("routers_passed").value_or(0) > counted;
    const NetworkSystem network = network_of(config, Place("results.json").at("configuration"));
    out.kinds = summarise_channels(network.topology.graph, channel_uses(config, network, results));
    return out;
}

ordered_json json_of(const NetworkSummary& n) {
    ordered_json out = {{"packets", n.packets},
                        {"routers", number(n.routers)},
                        {"latency_ns", number(n.latency_ns)},
                        {"energy_pj", number(n.energy_pj)},
                        {"idle_energy_pj", number(n.idle_energy_pj)}};
    out["by_routers"] = ordered_json::array();
    for (const HopSummary& h : n.hops)
        out["by_routers"].push_back({{"routers", h.routers},
                                     {"or_more", h.or_more},
                                     {"packets", h.packets},
                                     {"latency_ns", number(h.latency_ns)}});
    out["channels"] = ordered_json::array();
    for (const ChannelKindSummary& k : n.kinds)
        out["channels"].push_back({{"from", k.from},
                                   {"to", k.to},
                                   {"link", k.link},
                                   {"channels", k.channels},
                                   {"gbps", k.gbps},
                                   {"carried_gbps", k.carried_gbps},
                                   {"use", k.use},
                                   {"busiest", k.busiest},
                                   {"busiest_use", k.busiest_use},
                                   {"energy_pj", k.energy_pj}});
    return out;
}

std::string network_text(const NetworkSummary& n, const Style& style) {
    std::string text = heading("Network (each way; energy with that of idle channels, where it is counted)", style);
    text += fmt::format("  {} packets", grouped(n.packets));
    if (n.routers && n.latency_ns)
        text += fmt::format(", each by {:.2f} routers in {:.1f} ns", *n.routers, *n.latency_ns);
    if (n.energy_pj) text += fmt::format("; energy {}", energy_text(*n.energy_pj));
    if (n.idle_energy_pj) text += fmt::format(" and {} while channels idle", energy_text(*n.idle_energy_pj));
    text += "\n" + hops_text(n.hops);
    if (n.kinds.empty()) return text;
    TextTable table({"between", "link", "channels", "GB/s", "carried", "use", "energy", "busiest", "use"},
                    {true, true, false, false, false, false, false, true, false});
    for (const ChannelKindSummary& k : n.kinds)
        table.row({fmt::format("{} and {}", k.from, k.to), k.link.empty() ? "common" : k.link, grouped(k.channels),
                   one_decimal(k.gbps), one_decimal(k.carried_gbps), percent_of(k.use), energy_text(k.energy_pj),
                   k.busiest, percent_of(k.busiest_use)});
    return text + table.text(style);
}

} // namespace numavp
