#include "common/system/faulty_network.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "common/system/system_config.h"
#include "tlm-links/topology/detour.h"

namespace numavp {

namespace {

bool ends_ways(const FaultEvent& event) { return event.kind != FaultKind::lane; }

Place place_of(std::size_t event, const Place& system) { return system.at("faults").at("events").at(event); }

/// Routers of the parts that a text names.
std::vector<unsigned> routers_of(const std::string& text, const SystemConfig& config, const NetworkGraph& graph,
                                 const Place& place) {
    std::vector<unsigned> routers = WiredParts(config).find(text, place);
    for (unsigned& router : routers) // parts that are routers alone have their own number
        if (router < graph.endpoints.size()) router = graph.terminals[graph.endpoints[router].terminals.front()].router;
    return routers;
}

/// Channels between two parts, from the first to the second.
std::vector<unsigned> channels_between(const FaultEvent& event, const SystemConfig& config, const NetworkGraph& graph,
                                       const Place& place) {
    std::vector<unsigned> found;
    for (const unsigned from : routers_of(event.part, config, graph, place.at("part")))
        for (const unsigned to : routers_of(event.to, config, graph, place.at("to")))
            for (unsigned c = 0; c < graph.channels.size(); ++c)
                if (graph.channels[c].from == from && graph.channels[c].to == to) found.push_back(c);
    if (found.empty())
        throw ConfigError(place.at("to"),
                          fmt::format("no channel joins {} and {}; two parts with a channel between them "
                                      "are expected",
                                      event.part, event.to));
    return found;
}

void fail_event(const FaultEvent& event, const SystemConfig& config, const NetworkGraph& graph, const Place& place,
                std::vector<bool>& failed) {
    if (event.kind == FaultKind::link) {
        for (const unsigned c : channels_between(event, config, graph, place))
            failed[c] = failed[graph.channels[c].reverse] = true;
        return;
    }
    for (const unsigned router : routers_of(event.part, config, graph, place.at("part"))) {
        for (const NetworkTerminal& terminal : graph.terminals)
            if (terminal.router == router)
                throw ConfigError(
                    place.at("part"),
                    fmt::format("{} sends and receives at this router, and no way leads around it; a router "
                                "without sockets is expected",
                                graph.endpoints[terminal.endpoint].name));
        for (unsigned c = 0; c < graph.channels.size(); ++c)
            if (graph.channels[c].from == router || graph.channels[c].to == router) failed[c] = true;
    }
}

/// Refuses to retire `lanes` of `all`, of which faults before it have retired `gone`.
void check_lanes(unsigned lanes, unsigned gone, unsigned all, const Place& place) {
    if (all == 1)
        throw ConfigError(place.at("lanes"), "the direction has one lane, which stays; one of several is expected");
    if (gone + lanes >= all)
        throw ConfigError(place.at("lanes"),
                          gone == 0
                              ? fmt::format("{} of {} lanes leave none; at most {} are allowed", lanes, all, all - 1)
                              : fmt::format("{} of {} lanes leave none, with {} that faults before this one retire; "
                                            "at most {} are allowed in all",
                                            lanes, all, gone, all - 1));
}

/// Settings that an event of its kind does not have.
void check_whole(const FaultEvent& event, const Place& place) {
    if (!ends_ways(event)) return;
    if (event.lanes != 1)
        throw ConfigError(place.at("lanes"), "links and routers fail as a whole; lanes are for faults of kind lane");
    if (event.side != FaultSide::out)
        throw ConfigError(place.at("side"), "links and routers fail both ways; a side is for faults of kind lane");
}

/// Lanes that faults have retired so far: of a part's own link, by its number and side.
using LanesGone = std::map<std::pair<unsigned, FaultSide>, unsigned>;

void check_event(const SystemConfig& config, const FaultEvent& event, const Place& place, LanesGone& gone) {
    check_whole(event, place);
    if (event.part.empty()) throw ConfigError(place.at("part"), "the fault names no part; one is expected");
    const bool network = has_network(config);
    if (ends_ways(event) && !network)
        throw ConfigError(place.at("kind"),
                          "no network of routers joins the sockets, so that no other way is left; lane is "
                          "allowed, or a network.topology");
    if (event.kind == FaultKind::link && event.to.empty())
        throw ConfigError(place.at("to"),
                          "a socket has one link, so that no other way is left; a part at the other end of "
                          "a channel is expected");
    if (event.kind == FaultKind::lane && !event.to.empty() && !network)
        throw ConfigError(place.at("to"), "no network of routers joins the sockets; no part is expected here");
    if (event.kind == FaultKind::router && !event.to.empty())
        throw ConfigError(place.at("to"), "a router fails with all its channels; no part is expected here");
    const WiredParts parts(config);
    for (const unsigned part : parts.find(event.part, place.at("part"))) {
        if (event.kind != FaultKind::lane || !event.to.empty()) continue;
        if (part >= config.sockets || config.sockets == 1)
            throw ConfigError(
                place.at("part"),
                fmt::format("{} has no link of its own; a socket among several is expected", parts.label(part)));
        const LinkConfig link = config.link_at(part);
        const unsigned lanes = event.side == FaultSide::out ? link.lanes_out : link.lanes_in;
        unsigned& known = gone[{part, event.side}];
        check_lanes(event.lanes, known, lanes, place);
        known += event.lanes;
    }
}

void check_errors(const LinkErrors& errors, unsigned lanes, unsigned least_bytes, const Place& place) {
    if (!errors.given()) return;
    if (errors.buffer_bytes != 0 && errors.buffer_bytes < least_bytes)
        throw ConfigError(place.at("buffer_bytes"),
                          fmt::format("{} B hold no packet or flit of {} B; as many are expected, or 0",
                                      errors.buffer_bytes, least_bytes));
    if (errors.retire_errors != 0 && lanes == 0)
        throw ConfigError(place.at("retire_errors"), "the channel is not made of lanes; 0 is expected, or lanes");
}

void check_dress(const NetworkDress& dress, unsigned lanes, unsigned flit_bytes, const Place& place) {
    check_errors(dress.errors, lanes, flit_bytes, place.at("errors"));
    if (dress.errors.given() && dress.cut != LinkCutKind::none)
        throw ConfigError(place.at("cut"), "a channel over pins has no bit errors; none is allowed, or "
                                           "errors.bit_error_rate 0");
}

} // namespace

bool links_fail(const SystemConfig& config) {
    return std::any_of(config.faults.events.begin(), config.faults.events.end(), ends_ways);
}

double links_fail_at_us(const SystemConfig& config) {
    for (const FaultEvent& event : config.faults.events)
        if (ends_ways(event)) return event.at_us;
    return 0.0;
}

unsigned channels_before_faults(const SystemConfig& config, const Place& place) {
    const unsigned all = config.network.virtual_channels;
    if (!links_fail(config)) return all;
    if (all < 2)
        throw ConfigError(place.at("virtual_channels"),
                          "ways around what fails take one of them, and the others another; "
                          "2 are expected, or more");
    return all - 1;
}

void check_faults(const SystemConfig& config, const Place& system) {
    const NetworkSystemConfig& network = config.network;
    const unsigned packet = config.packets.padded(kLineBytes + config.packets.header_bytes);
    check_errors(config.link.errors, config.link.lanes_out, packet, system.at("link").at("errors"));
    check_dress(network.dress, 0, network.flit_bytes, system.at("network"));
    for (std::size_t k = 0; k < network.links.size(); ++k)
        check_dress(network.links[k].dress, network.links[k].lanes, network.flit_bytes,
                    system.at("network").at("links").at(k));
    LanesGone gone;
    for (std::size_t i = 0; i < config.faults.events.size(); ++i) {
        const FaultEvent& event = config.faults.events[i];
        check_event(config, event, place_of(i, system), gone);
        if (ends_ways(event) && event.at_us != links_fail_at_us(config))
            throw ConfigError(place_of(i, system).at("at_us"),
                              fmt::format("links and routers fail once, all at a time; {:g} is expected, as before",
                                          links_fail_at_us(config)));
    }
}

void add_detour(SystemNetwork& made, const SystemConfig& config, const Place& system) {
    const NetworkSystemConfig& c = config.network;
    const NetworkGraph& graph = made.topology.graph;
    const Place events = system.at("faults").at("events");
    if (has_cubes(c.topology) || c.topology == FabricKind::butterfly)
        throw ConfigError(events, fmt::format("{} has no ways around links that fail; nodes at routers, or wires, have",
                                              kFabrics.name(c.topology)));
    if (!c.overlay.empty())
        throw ConfigError(events,
                          "packets of network.overlay have no ways around links that fail; no overlay is allowed");
    std::vector<bool> failed(graph.channels.size(), false);
    for (std::size_t i = 0; i < config.faults.events.size(); ++i)
        if (ends_ways(config.faults.events[i]))
            fail_event(config.faults.events[i], config, graph, place_of(i, system), failed);
    std::string missing;
    made.detour = make_detour(graph, failed, c.virtual_channels - 1, missing);
    if (!made.detour)
        throw ConfigError(events, fmt::format("no way is left {}; faults that leave one are allowed", missing));
}

std::vector<LaneFault> link_lane_faults(const SystemConfig& config) {
    std::vector<LaneFault> faults;
    const WiredParts parts(config);
    for (const FaultEvent& event : config.faults.events)
        if (event.kind == FaultKind::lane && event.to.empty())
            for (const unsigned part : parts.find(event.part, Place("faults")))
                faults.push_back({part, event.side, event.lanes, event.at_us});
    return faults;
}

std::vector<LaneFault> channel_lane_faults(const SystemNetwork& made, const SystemConfig& config, const Place& system) {
    std::vector<LaneFault> faults;
    std::map<unsigned, unsigned> gone; // lanes of channels
    const NetworkGraph& graph = made.topology.graph;
    for (std::size_t i = 0; i < config.faults.events.size(); ++i) {
        const FaultEvent& event = config.faults.events[i];
        const Place place = place_of(i, system);
        if (event.kind != FaultKind::lane || event.to.empty()) continue;
        for (const unsigned out : channels_between(event, config, graph, place)) {
            const unsigned channel = event.side == FaultSide::out ? out : graph.channels[out].reverse;
            const unsigned lanes = made.links[graph.channels[channel].link].lanes;
            if (lanes == 0)
                throw ConfigError(place.at("to"),
                                  "the channel is not made of lanes; one of a link with lanes is expected");
            check_lanes(event.lanes, gone[channel], lanes, place);
            gone[channel] += event.lanes;
            faults.push_back({channel, event.side, event.lanes, event.at_us});
        }
    }
    return faults;
}

} // namespace numavp
