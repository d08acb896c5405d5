#include "common/system/wired_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/faulty_network.h"
#include "common/system/host_core_place.h"
#include "common/system/reduction_units.h"
#include "common/system/system_config.h"
#include "common/system/transit_rule.h"
#include "tlm-links/packet/router_core.h"
#include "tlm-links/topology/explicit_network.h"
#include "tlm-links/topology/graph/overlay.h"

namespace numavp {

namespace {
using Pair = std::pair<unsigned, unsigned>;

/// The channels of a topology over `all`, which are its nodes in their order.
std::vector<Pair> shaped_pairs(const NetworkWire& wire, const std::vector<unsigned>& all, const Place& place) {
    TopologySpec spec;
    spec.topology = *kTopologies.find(kWireShapes.name(wire.shape));
    const auto count = static_cast<unsigned>(all.size());
    spec.dimensions = wire.dimensions.empty() ? default_dimensions(spec.topology, count) : wire.dimensions;
    const NetworkGraph graph = make_topology(spec, place).graph;
    if (graph.routers.size() != all.size())
        throw ConfigError(place.at("dimensions"),
                          fmt::format("they make a {} of {}; {} has {} parts", kWireShapes.name(wire.shape),
                                      graph.routers.size(), wire.all, all.size()));
    std::vector<Pair> pairs;
    for (unsigned c = 0; c < graph.channels.size(); ++c)
        if (graph.channels[c].reverse > c) pairs.emplace_back(all[graph.channels[c].from], all[graph.channels[c].to]);
    return pairs;
}

std::vector<Pair> pairs_among(const NetworkWire& wire, const WiredParts& parts, const Place& place) {
    if (!wire.from.empty() || !wire.to.empty())
        throw ConfigError(place.at("all"), "the wire has from or to besides; all alone, or both ends, is expected");
    const std::vector<unsigned> all = parts.find(wire.all, place.at("all"));
    if (all.size() < 2)
        throw ConfigError(place.at("all"),
                          fmt::format("{} is one part; two or more are joined with each other", wire.all));
    if (wire.shape == WireShape::each && !wire.dimensions.empty())
        throw ConfigError(place.at("dimensions"),
                          "each with each other has no dimensions; a shape that has is expected");
    if (wire.shape != WireShape::each) return shaped_pairs(wire, all, place);
    std::vector<Pair> pairs;
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = a + 1; b < all.size(); ++b) pairs.emplace_back(all[a], all[b]);
    return pairs;
}

/// The pairs that a wire joins.
std::vector<Pair> wired_pairs(const NetworkWire& wire, const WiredParts& parts, const Place& place) {
    if (!wire.all.empty()) return pairs_among(wire, parts, place);
    if (wire.shape != WireShape::each)
        throw ConfigError(place.at("shape"), "two ends have no shape; the parts of a list, all, are expected");
    if (!wire.dimensions.empty())
        throw ConfigError(place.at("dimensions"), "two ends have no dimensions; they are those of a shape of all");
    std::vector<Pair> pairs;
    const auto needed = [&place](const char* end, const std::string& text) {
        if (text.empty()) throw ConfigError(place.at(end), "this end names no part; one or more are expected");
    };
    needed("from", wire.from);
    needed("to", wire.to);
    const std::vector<unsigned> from = parts.find(wire.from, place.at("from"));
    const std::vector<unsigned> to = parts.find(wire.to, place.at("to"));
    const std::size_t most = std::max(from.size(), to.size()), fewest = std::min(from.size(), to.size());
    if (most % fewest != 0)
        throw ConfigError(place.at("to"),
                          fmt::format("{} parts and {} can't be joined in turn; as many, or a multiple, "
                                      "are expected",
                                      from.size(), to.size()));
    for (std::size_t i = 0; i < most; ++i) {
        pairs.emplace_back(from[i * from.size() / most], to[i * to.size() / most]);
        if (pairs.back().first == pairs.back().second)
            throw ConfigError(place.at("to"), fmt::format("the wire joins {} with itself; another part is expected",
                                                          parts.label(pairs.back().first)));
    }
    return pairs;
}

constexpr unsigned kMostFlitCycles = 1000;

/// What a virtual channel needs so that it can fill the channel alone: the flits of a round trip, there in the channel
/// and the router, back as a credit.
unsigned buffer_flits(const NetworkLink& link, const NetworkGraph::Channel& channel, const NetworkSystemConfig& c,
                      const Place& place) {
    const unsigned common = c.buffer_bytes / c.flit_bytes;
    if (link.buffer_bytes != 0 && link.buffer_bytes / c.flit_bytes < common)
        throw ConfigError(
            place.at("buffer_bytes"),
            fmt::format("{} B are less than the {} B of network.buffer_bytes; as many are allowed, or more",
                        link.buffer_bytes, c.buffer_bytes));
    if (link.buffer_bytes != 0) return std::min(link.buffer_bytes / c.flit_bytes, kMostBufferFlits);
    const double interval = static_cast<double>(channel.interval) / NetworkChannel::kCycle / link.most_of_wired();
    const double cycles = 2.0 * (channel.latency_cycles + interval + RouterCore::kStages);
    return std::max(common, std::min(static_cast<unsigned>(std::ceil(cycles / interval)), kMostBufferFlits));
}

/// All lanes but one may face one way, or all but one the other.
void check_lanes(const NetworkLink& link, double most_gbps, double interval, const Place& place) {
    if (link.balancer == LaneBalancerKind::fixed) return;
    if (link.lanes == 0)
        throw ConfigError(place.at("balancer"), "the link is not made of lanes; 'static', or lanes, are expected");
    if (link.gbytes_per_s * link.most_of_wired() > most_gbps * (1 + 1e-9))
        throw ConfigError(place.at("gbytes_per_s"),
                          fmt::format("{} of {} lanes that turn would carry {:g} GB/s one way, more than the {:g} of a "
                                      "router; {:g} are allowed, or a faster noc_khz",
                                      2 * link.lanes - 1, 2 * link.lanes, link.gbytes_per_s * link.most_of_wired(),
                                      most_gbps, most_gbps / link.most_of_wired()));
    if (interval * link.lanes > double{kMostFlitCycles} * NetworkChannel::kCycle)
        throw ConfigError(place.at("lanes"),
                          fmt::format("a flit would take {:.0f} cycles on the one lane that is left "
                                      "of {}; {} are allowed",
                                      interval * link.lanes / NetworkChannel::kCycle, link.lanes, kMostFlitCycles));
}

/// The common channel, then those of network.links.
std::vector<NetworkGraph::Channel> channel_kinds(const std::vector<NetworkLink>& links, const NetworkSystemConfig& c,
                                                 const Place& place) {
    std::vector<NetworkGraph::Channel> kinds;
    for (std::size_t k = 0; k < links.size(); ++k) {
        const NetworkLink& link = links[k];
        const Place here = k == 0 ? place : place.at("links").at(k - 1);
        const double most = channel_bytes_per_s(c) / 1e9;
        if (link.gbytes_per_s > most)
            throw ConfigError(here.at("gbytes_per_s"),
                              fmt::format("{:g} GB/s are more than a router carries, {} B a cycle of {} kHz; {:g} are "
                                          "allowed, or a faster noc_khz",
                                          link.gbytes_per_s, c.flit_bytes, c.noc_khz, most));
        const double interval = std::round(most / (link.gbytes_per_s * link.efficiency) * NetworkChannel::kCycle);
        if (interval > double{kMostFlitCycles} * NetworkChannel::kCycle)
            throw ConfigError(here.at("gbytes_per_s"),
                              fmt::format("a flit of {} B would take {:.0f} cycles of {} kHz; {} are allowed",
                                          c.flit_bytes, interval / NetworkChannel::kCycle, c.noc_khz, kMostFlitCycles));
        check_lanes(link, most, interval, here);
        const unsigned cycles = network_cycles(link.latency_ns, c, here.at(k == 0 ? "channel_ns" : "latency_ns"));
        kinds.push_back(
            {cycles, static_cast<std::uint32_t>(interval), static_cast<unsigned>(k), 0, wire_format(link.dress, c)});
        if (k != 0) kinds.back().buffer_flits = buffer_flits(link, kinds.back(), c, here);
    }
    return kinds;
}

unsigned kind_named(const std::string& name, const std::vector<NetworkLink>& links, const Place& place) {
    std::vector<std::string_view> known;
    for (std::size_t k = 0; k < links.size(); ++k) {
        if (links[k].name == name) return static_cast<unsigned>(k);
        if (k != 0) known.emplace_back(links[k].name);
    }
    throw ConfigError(place, unknown_name("link", name, known));
}

void check_links(const std::vector<NetworkLink>& links, const Place& place) {
    for (std::size_t k = 0; k < links.size(); ++k) {
        const Place here = place.at(k).at("name");
        if (links[k].name.empty()) throw ConfigError(here, "the link has no name; one is expected, for wires to name");
        for (std::size_t before = 0; before < k; ++before)
            if (links[before].name == links[k].name)
                throw ConfigError(here, fmt::format("'{}' is there twice; names must differ", quotable(links[k].name)));
    }
}

NetworkGraph bare_graph(const WiredParts& parts, unsigned terminal_cycles) {
    NetworkGraph graph;
    for (unsigned n = 0; n < parts.count(); ++n) {
        graph.routers.push_back(parts.label(n));
        if (n >= parts.ends()) continue;
        graph.endpoints.push_back({parts.label(n), true, n, {}});
        for (unsigned t = 0; t < parts.terminals_of(n); ++t) graph.attach(n, n, terminal_cycles);
    }
    return graph;
}

void check_joined(const NetworkGraph& graph, unsigned from, unsigned to, const Place& place) {
    for (const NetworkChannel& c : graph.channels)
        if (c.from == from && c.to == to) {
            if (c.link == 0) return;
            throw ConfigError(place, fmt::format("{} and {} are joined by a link of its own, and packets pass between "
                                                 "common channels; a wire without link is expected",
                                                 graph.routers[from], graph.routers[to]));
        }
    throw ConfigError(place, fmt::format("no wire joins {} and {}, which follow each other on a chain; one is expected",
                                         graph.routers[from], graph.routers[to]));
}

/// The chains of network.overlay: stop i of all of them is its element i.
std::vector<std::vector<unsigned>> overlay_chains(const std::vector<NetworkOverlayStop>& stops, const WiredParts& parts,
                                                  const NetworkGraph& graph, const Place& place) {
    constexpr std::size_t kLeastStops = 3;
    if (stops.size() < kLeastStops)
        throw ConfigError(place,
                          fmt::format("a socket, a router to pass and an end are {} stops at least; {} are given",
                                      kLeastStops, stops.size()));
    const std::vector<unsigned> first = parts.find(stops.front().parts, place.at(std::size_t{0}).at("parts"));
    if (first.size() != 1 || first.front() >= graph.endpoints.size())
        throw ConfigError(place.at(std::size_t{0}).at("parts"),
                          fmt::format("'{}' is not one socket; the first stop is the socket whose packets pass",
                                      quotable(stops.front().parts)));
    std::vector<std::vector<unsigned>> chains;
    std::vector<bool> taken(graph.routers.size(), false);
    taken[first.front()] = true;
    for (std::size_t i = 1; i < stops.size(); ++i) {
        const Place here = place.at(i).at("parts");
        const std::vector<unsigned> stop = parts.find(stops[i].parts, here);
        if (i == 1) chains.assign(stop.size(), first);
        if (stop.size() != chains.size())
            throw ConfigError(here, fmt::format("{} parts are no stop of {} chains; one for each is expected",
                                                stop.size(), chains.size()));
        for (std::size_t c = 0; c < stop.size(); ++c) {
            if (taken[stop[c]])
                throw ConfigError(
                    here, fmt::format("{} is a stop already; another part is expected", graph.routers[stop[c]]));
            taken[stop[c]] = true;
            check_joined(graph, chains[c].back(), stop[c], here);
            chains[c].push_back(stop[c]);
        }
    }
    return chains;
}

/// Lays the overlay over the routing of all other packets.
void add_overlay(Topology& made, const NetworkSystemConfig& c, const WiredParts& parts, const Place& place) {
    if (c.dress.overhead_bytes != 0 || c.dress.granule_bytes != 0 || c.dress.cut != LinkCutKind::none ||
        c.dress.errors.given())
        throw ConfigError(place.at("overlay"), "packets of an overlay pass from wire to wire; it is allowed where the "
                                               "common channel has no cut, overhead_bytes and granule_bytes 0, and no "
                                               "errors");
    const unsigned ordinary = RouterCore::kStages + network_cycles(c.channel_ns, c, place.at("channel_ns"));
    if (c.pass_through_cycles + 2 >= ordinary)
        throw ConfigError(place.at("pass_through_cycles"),
                          fmt::format("{} cycles are not 3 fewer than the {} of a router and a channel; at most {} are "
                                      "allowed",
                                      c.pass_through_cycles, ordinary, ordinary - 3));
    const Overlay overlay{overlay_chains(c.overlay, parts, made.graph, place.at("overlay")), c.virtual_channels - 1,
                          c.pass_through_cycles};
    made.routing = std::make_unique<OverlayRouting>(overlay, made.graph, std::move(made.routing));
}

/// Virtual channels for the packets that take no overlay.
unsigned ordinary_channels(const SystemConfig& config, const Place& place) {
    const NetworkSystemConfig& c = config.network;
    if (c.overlay.empty()) return channels_before_faults(config, place);
    if (c.virtual_channels < 2)
        throw ConfigError(place.at("virtual_channels"),
                          "an overlay takes one of them, and the other packets another; 2 are expected, or more");
    return c.virtual_channels - 1;
}

/// Requests of sockets with SMs, and of the host's core, to memories, and responses.
std::vector<PacketClass> request_classes(const SystemConfig& config, unsigned routers) {
    PacketClass requests{std::vector<bool>(routers, false), std::vector<bool>(routers, false)};
    for (unsigned s = 0; s < config.sockets; ++s) {
        requests.from[s] = config.socket_at(s).sms != 0;
        requests.to[s] = config.socket_at(s).has_memory();
    }
    if (const std::optional<SocketId> core = host_core_socket(config)) requests.from[core->value] = true;
    const unsigned unit = first_reduction_unit(config); // units ask members and are asked
    for (unsigned u = unit; u < unit + reduction_units(config); ++u) requests.from[u] = requests.to[u] = true;
    return {requests, {requests.to, requests.from}};
}
} // namespace

SystemNetwork wired_network(const SystemConfig& config, const Place& system, RoutedFor packets) {
    const NetworkSystemConfig& c = config.network;
    const Place place = system.at("network");
    if (c.wires.empty())
        throw ConfigError(place.at("wires"), "the topology wires has no wires; one or more are expected");
    if (c.routing != RoutingKind::minimal)
        throw ConfigError(system.at("routing"),
                          fmt::format("wires have no {} routing; allowed is 'minimal'", kRoutings.name(c.routing)));
    check_links(c.links, place.at("links"));
    SystemNetwork made;
    made.spec.topology = TopologyKind::ring; // the layout of pictures
    made.links = {common_link(c)};
    made.links.insert(made.links.end(), c.links.begin(), c.links.end());
    const std::vector<NetworkGraph::Channel> kinds = channel_kinds(made.links, c, place);
    const WiredParts parts(config);
    if (parts.count() > kMostExplicitRouters)
        throw ConfigError(place.at("wires"), fmt::format("there are {} parts with a router each; {} are allowed",
                                                         parts.count(), kMostExplicitRouters));
    std::vector<unsigned> ports(parts.count(), 0); // of channels
    NetworkGraph graph = bare_graph(parts, network_cycles(c.terminal_ns, c, place.at("terminal_ns")));
    std::map<Pair, unsigned> joined; // by which kind of link
    for (std::size_t i = 0; i < c.wires.size(); ++i) {
        const NetworkWire& wire = c.wires[i];
        const Place here = place.at("wires").at(i);
        const unsigned kind = kind_named(wire.link, made.links, here.at("link"));
        for (const Pair& pair : wired_pairs(wire, parts, here)) {
            const auto [before, fresh] = joined.emplace(std::minmax(pair.first, pair.second), kind);
            if (!fresh &&
                before->second != kind) // packets would go by both alike, and the slower one would hold all up
                throw ConfigError(here.at("link"), fmt::format("{} and {} are joined by another link already; wires "
                                                               "between two parts are of one link",
                                                               parts.label(pair.first), parts.label(pair.second)));
            for (const unsigned part : {pair.first, pair.second})
                if ((ports[part] += wire.channels) > RouterCore::kMaxPorts)
                    throw ConfigError(here, fmt::format("{} would have {} ports for channels; {} are allowed",
                                                        parts.label(part), ports[part], RouterCore::kMaxPorts));
            for (unsigned k = 0; k < wire.channels; ++k) graph.connect(pair.first, pair.second, kinds[kind]);
        }
    }
    for (unsigned part = 0; part < parts.count(); ++part)
        if (ports[part] == 0 && part >= graph.endpoints.size())
            throw ConfigError(place.at("wires"),
                              fmt::format("no wire leads to {}; one or more are expected", parts.label(part)));
    check_reduction_wires(parts, config, graph, place.at("wires"));
    graph.transit = transit_of(config, parts, graph);
    if (!c.non_blocking.empty()) graph.non_blocking = parts.find(c.non_blocking, place.at("non_blocking"));
    for (const NetworkLink& link : made.links) graph.link_speeds.push_back(link.gbytes_per_s);
    std::vector<PacketClass> classes;
    if (packets == RoutedFor::system && only_sms_request(config)) classes = request_classes(config, parts.count());
    const unsigned channels = ordinary_channels(config, place);
    try {
        made.topology = make_explicit(std::move(graph), channels, Place("graph"), classes);
    } catch (const ConfigError& refused) { // it names a place in the lists of a graph, where the file has wires
        const std::string what = refused.what();
        const std::size_t place_end = what.find(": ", what.find(": ") + 2);
        throw ConfigError(place.at("wires"), what.substr(place_end + 2));
    }
    if (!c.overlay.empty()) add_overlay(made.topology, c, parts, place);
    return made;
}

void refuse_wires(const SystemConfig& config, const Place& place) {
    const NetworkSystemConfig& c = config.network;
    const auto fail = [&](const char* what) {
        throw ConfigError(place.at("topology"), fmt::format("{} has no place for {}; the topology wires is allowed",
                                                            kFabrics.name(c.topology), what));
    };
    if (!c.wires.empty()) fail("network.wires");
    if (!c.links.empty()) fail("network.links");
    if (!c.overlay.empty()) fail("network.overlay");
    for (const PartSystemConfig& part : config.parts)
        if (is_router_alone(part.kind)) fail("parts that are routers alone");
}

} // namespace numavp
