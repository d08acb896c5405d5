#include "platform/explain/explain.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/system/derived.h"
#include "common/system/network_alone.h"
#include "platform/explain/explain_drawing.h"
#include "platform/explain/explain_network.h"
#include "platform/explain/own_inputs.h"
#include "platform/machine/system.h"

namespace numavp {
namespace {

double per_cycle_gbps(std::uint64_t khz, unsigned bytes) { return bytes * static_cast<double>(khz) / 1e6; }

std::string ns_text(const SystemConfig& c, const Pathway& p) {
    const auto khz = static_cast<double>(p.khz != 0 ? p.khz : c.clock_khz);
    return fmt::format("{:g}", std::round(p.cycles * 1e7 / khz) / 10.0);
}

std::string policies(const SystemConfig& c) {
    TextTable table({"", "", ""}, {true, true, true});
    const auto row = [&](const std::string& path, const auto& names, auto value) {
        table.row({path, std::string(names.name(value)), std::string(names.doc(value))});
    };
    row("dispatch.split", kBlockSplits, c.dispatch.split);
    if (c.dispatch.order.given()) row("dispatch.order.policy", kBlockOrders, c.dispatch.order.policy);
    row("placement.policy", kPlacements, c.placement.policy);
    const std::vector<SocketGroup> groups = socket_groups(c);
    for (const SocketGroup& group : groups) {
        const std::string own = groups.size() == 1 ? "socket" : group.name();
        const SocketConfig& s = *group.config;
        if (!s.l2.has_cache()) continue;
        row(own + ".l2.organisation", kL2Organisations, s.l2.organisation);
        if (s.l2.role().ways == WayRule::quotas)
            row(own + ".partition.controller", kWayPartitions, s.partition.controller);
        row(own + ".l2.write_policy", kWritePolicies, s.l2.write_policy);
        if (s.l2.has_directory()) row(own + ".l2.coherence", kL2Coherences, s.l2.coherence);
    }
    const std::string own_balancer = own_text(c, "lane_balancer");
    if (c.sockets > 1 && c.link.balancer == LaneBalancerKind::dynamic_rtl && !own_balancer.empty())
        table.row({"link.balancer", "dynamic_rtl", "Lanes turn as RTL of the user's decides: " + own_balancer + "."});
    else if (c.sockets > 1)
        row("link.balancer", kLaneBalancers, c.link.balancer);
    if (c.sockets > 1)
        for (const SocketGroup& group : groups)
            if (const LinkCutKind cut = c.link_at(group.range.first).cut; cut != LinkCutKind::none)
                row(groups.size() == 1 ? "link.cut" : group.name() + ".link.cut", kLinkCuts, cut);
    if (has_network(c) && c.network.dress.cut != LinkCutKind::none) row("network.cut", kLinkCuts, c.network.dress.cut);
    for (std::size_t k = 0; has_network(c) && k < c.network.links.size(); ++k)
        if (const LinkCutKind cut = c.network.links[k].dress.cut; cut != LinkCutKind::none)
            row(fmt::format("network.links[{}].cut", k), kLinkCuts, cut);
    for (const SocketGroup& group : groups)
        if (group.config->sms != 0)
            row((groups.size() == 1 ? "socket" : group.name()) + ".sm.scheduler", kWarpSchedulers,
                group.config->sm.scheduler);
    for (const SocketGroup& group : groups)
        if (group.config->sms != 0 && group.config->sm.tensor.on())
            row((groups.size() == 1 ? "socket" : group.name()) + ".sm.tensor.cores", kTensorCores,
                group.config->sm.tensor.cores);
    row("driver.execution", kDriverExecutions, c.driver.execution);
    if (const std::string own = own_text(c, "firmware"); !own.empty())
        table.row({"driver.riscv.firmware", "", "The user's: " + own + "."});
    if (const std::string own = own_text(c, "placement_policy"); !own.empty())
        table.row({"driver.policy", "", "The user's: " + own + "."});
    return table.text({});
}

std::string parts(const SystemConfig& c, const Style& style) {
    TextTable table({"module", "count", "what"}, {true, false, true});
    for (const SystemPart& part : describe_parts(c)) table.row({part.path, grouped(part.count), part.what});
    return table.text(style);
}

std::string among_text(const NetworkWire& wire) {
    if (wire.shape == WireShape::each) return "each other of them";
    const std::string name(kWireShapes.name(wire.shape));
    return wire.dimensions.empty() ? "as a " + name
                                   : fmt::format("as a {} of {}", name, fmt::join(wire.dimensions, " x "));
}

/// Table of the wires and the parts that they join, in the words of the file (docs/use/NETWORKS.md, "wires": how
/// several parts pair up).
std::string wires_table(const SystemConfig& c, const Style& style) {
    TextTable table({"from", "to", "link", "GB/s", "ns", "channels"}, {true, true, true});
    for (const NetworkWire& wire : c.network.wires) {
        const auto link = std::find_if(c.network.links.begin(), c.network.links.end(),
                                       [&wire](const NetworkLink& one) { return one.name == wire.link; });
        const bool named = link != c.network.links.end();
        table.row({wire.all.empty() ? wire.from : wire.all, wire.all.empty() ? wire.to : among_text(wire),
                   named ? wire.link : "", named ? fmt::format("{:g}", link->gbytes_per_s) : "",
                   named ? fmt::format("{:g}", link->latency_ns) : "", std::to_string(wire.channels)});
    }
    return table.text(style);
}

std::string pathway_table(const SystemConfig& c, const Style& style) {
    TextTable table({"path", "count", "GB/s each", "GB/s in all", "cycles", "ns"});
    for (const Pathway& p : pathways(c))
        table.row({p.what, grouped(p.count), fmt::format("{:g}", p.gbps / p.count), fmt::format("{:g}", p.gbps),
                   std::to_string(p.cycles), ns_text(c, p)});
    return table.text(style);
}

/// Inside a socket.
void add_pathways(const SystemConfig& c, const SocketConfig& s, const std::string& owner, std::vector<Pathway>& all) {
    const unsigned sms = s.sms * c.scale;
    const unsigned slices = s.l2.slices * c.scale;
    const unsigned channels = s.memory.channels * c.scale;
    const std::uint64_t noc_khz = s.noc_khz(c.clock_khz), l2_khz = s.l2_khz(c.clock_khz);
    const auto add = [&](const char* what, double gbps, unsigned count, unsigned cycles, std::uint64_t khz = 0) {
        all.push_back({owner + what, gbps, count, cycles, khz});
    };
    if (sms != 0) {
        const std::uint64_t sm_khz = s.sm_khz(c.clock_khz);
        add("L1 hit", per_cycle_gbps(sm_khz, kLineBytes * s.sm.l1.lines_per_cycle) * sms, sms, s.sm.l1.hit_cycles,
            sm_khz);
        add("crossbar, towards an SM", per_cycle_gbps(noc_khz, s.noc.response_bytes_per_cycle) * sms, sms,
            s.noc.latency_cycles, noc_khz);
    }
    add("crossbar, towards an L2 slice", per_cycle_gbps(noc_khz, s.noc.request_bytes_per_cycle) * slices, slices,
        s.noc.latency_cycles, noc_khz);
    if (s.l2.has_cache())
        add("L2 hit", per_cycle_gbps(l2_khz, s.l2.bytes_per_cycle) * slices, slices, s.l2.hit_cycles, l2_khz);
    else
        add("memory's controllers", per_cycle_gbps(l2_khz, s.l2.bytes_per_cycle) * slices, slices,
            s.l2.miss_cycles + s.l2.fill_cycles, l2_khz);
    if (!s.has_memory()) return;
    if (s.memory.cache.given())
        add("memory-side cache hit", per_cycle_gbps(l2_khz, s.memory.cache.bytes_per_cycle) * slices, slices,
            s.memory.cache.hit_cycles, l2_khz);
    const MemorySpeed memory = memory_speed(c, s);
    const double cycles = memory.latency_ns * static_cast<double>(l2_khz) / 1e6;
    add("memory channel", memory.gbps, channels,
        s.memory.model == MemoryModel::timed ? static_cast<unsigned>(std::lround(cycles))
                                             : s.memory.latency_cycles(l2_khz),
        l2_khz);
}

} // namespace

namespace {
/// Of each group of sockets, or once if all links are alike.
void add_links(const SystemConfig& c, const std::vector<SocketGroup>& groups, std::vector<Pathway>& all) {
    const auto same = [](const LinkConfig& a, const LinkConfig& b) {
        return a.lanes_out == b.lanes_out && a.lanes_in == b.lanes_in && a.latency_cycles == b.latency_cycles;
    };
    const char* const where = has_network(c) ? "router" : "switch";
    const LinkConfig first = c.link_at(0);
    const bool alike = std::all_of(groups.begin(), groups.end(),
                                   [&](const SocketGroup& group) { return same(c.link_at(group.range.first), first); });
    for (const SocketGroup& group : groups) {
        const LinkConfig link = c.link_at(group.range.first);
        const std::string owner = alike ? "" : group.name() + ": ";
        all.push_back({fmt::format("{}link lanes out, to the {}", owner, where), link.lanes_out * link.lane_gbps,
                       link.lanes_out, link.latency_cycles});
        all.push_back({fmt::format("{}link lanes in, from the {}", owner, where), link.lanes_in * link.lane_gbps,
                       link.lanes_in, link.latency_cycles});
        if (alike) return;
    }
}

/// A line for links whose wires hold fewer packets than their lanes carry in the latency, so that lanes idle.
std::string short_wires(const SystemConfig& c) {
    std::string text;
    for (const SocketGroup& group : socket_groups(c)) {
        const LinkConfig link = with_wires(c, c.link_at(group.range.first));
        const unsigned packet = packet_sizes(c).padded(c.packets.header_bytes + kLineBytes);
        const double of_wires = static_cast<double>(link.wire_depth) * packet / link.latency_cycles *
                                static_cast<double>(c.clock_khz) / 1e6;
        const double of_lanes = std::max(link.lanes_out, link.lanes_in) * link.lane_gbps;
        if (of_wires < of_lanes)
            text += fmt::format("  link of {}: {} lines in flight are {:.0f} GB/s, and its lanes carry {:g}: "
                                "link.wire_depth 0 has as many as they carry\n",
                                group.name(), link.wire_depth, of_wires, of_lanes);
    }
    return text;
}

/// Between routers, one way, of each kind of link.
void add_channels(const NetworkSystem& system, std::vector<Pathway>& all) {
    const NetworkGraph& graph = system.topology.graph;
    for (unsigned kind = 0; kind < system.links.size(); ++kind) {
        Pathway path{kind == 0 ? "network, between routers" : "network, " + system.links[kind].name,
                     0,
                     0,
                     0,
                     system.settings().noc_khz,
                     true};
        for (unsigned c = 0; c < graph.channels.size(); c += 2) {
            if (graph.channels[c].link != kind) continue;
            ++path.count;
            path.gbps += system.gbps(c);
            path.cycles = graph.channels[c].latency_cycles + graph.channels[c].tail_cycles();
        }
        if (path.count != 0) all.push_back(path);
    }
}
} // namespace

std::vector<Pathway> pathways(const SystemConfig& c) {
    std::vector<Pathway> all;
    const std::vector<SocketGroup> groups = socket_groups(c);
    for (const SocketGroup& group : groups)
        add_pathways(c, *group.config, groups.size() == 1 ? "" : group.name() + ": ", all);
    if (c.sockets == 1) return all;
    add_links(c, groups, all);
    if (has_network(c)) {
        const NetworkSystem alone = network_of(c, Place("system"));
        add_channels(alone, all);
        for (const NetworkPath& p : terminal_paths(alone))
            all.push_back({"network, " + p.what, alone.gbps() * static_cast<double>(p.count),
                           static_cast<unsigned>(p.count), p.cycles, c.network.noc_khz});
    } else {
        all.push_back(
            {"switch, of all sockets", static_cast<double>(switch_bytes_per_s(c)) / 1e9, 1, c.switch_.latency_cycles});
    }
    return all;
}

std::string explain_text(const SystemConfig& c, const Style& style) {
    std::string text = style.bold(c.name) + "\n";
    const SystemTotals all = system_totals(c);
    if (!c.description.empty()) text += "  " + c.description + "\n";
    text += fmt::format("  {} socket{} at {:g} GHz, {} SMs, {} of L2, {:g} GB/s and {} of memory in all\n", c.sockets,
                        c.sockets == 1 ? "" : "s", static_cast<double>(c.clock_khz) / 1e6, grouped(all.sms),
                        bytes_text(all.l2_bytes), all.memory_gbps, bytes_text(all.memory_bytes));
    const LinkCycles links = cycles_of_two_links(c);
    if (c.sockets > 1 && has_network(c)) {
        const NetworkOutline network = network_outline(c);
        if (network.most_cycles != 0)
            text += fmt::format("  {} to {} cycles one way from socket to socket: link, network, link\n",
                                links.least + network.least_cycles, links.most + network.most_cycles);
    } else if (c.sockets > 1) {
        const std::string most =
            links.least == links.most ? "" : fmt::format(" to {}", links.most + c.switch_.latency_cycles);
        text += fmt::format("  {}{} cycles one way from socket to socket: link, switch, link\n",
                            links.least + c.switch_.latency_cycles, most);
    }
    text += "\n" + drawing(c);
    text += "\n" + style.bold("Modules") + "\n" + parts(c, style);
    text += "\n" + style.bold("Bandwidth and latency, of a socket unless said") + "\n" + pathway_table(c, style);
    if (c.sockets > 1) text += short_wires(c);
    if (has_network(c))
        text += "\n" + style.bold("Network") + "\n" + explain_network_text(network_of(c, Place("system")), style);
    if (has_network(c) && !c.network.wires.empty()) text += "\n" + style.bold("Wires") + "\n" + wires_table(c, style);
    text += "\n" + style.bold("Policies") + "\n" + policies(c);
    return text;
}

std::string explain_csv(const SystemConfig& config) {
    std::string out = csv_line({"what", "count", "gbps", "latency_cycles"});
    for (const Pathway& p : pathways(config))
        out += csv_line({p.what, std::to_string(p.count), ordered_json(p.gbps).dump(), std::to_string(p.cycles)});
    return out;
}

ordered_json explain_json(const SystemConfig& config) {
    ordered_json out;
    out["system"] = config.name;
    out["configuration"] = dump_config(config);
    out["parts"] = ordered_json::array();
    for (const SystemPart& part : describe_parts(config))
        out["parts"].push_back({{"path", part.path}, {"count", part.count}, {"what", part.what}});
    if (ordered_json own = own_inputs_json(config); !own.empty()) out["own"] = std::move(own);
    out["paths"] = ordered_json::array();
    for (const Pathway& p : pathways(config)) {
        out["paths"].push_back({{"what", p.what}, {"count", p.count}, {"gbps", p.gbps}, {"latency_cycles", p.cycles}});
        if (p.between_routers) out["paths"].back()["between_routers"] = true;
    }
    if (has_network(config)) out["network"] = explain_network_json(network_of(config, Place("system")));
    return out;
}

} // namespace numavp
