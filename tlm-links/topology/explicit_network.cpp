#include "tlm-links/topology/explicit_network.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "tlm-links/topology/table_routing.h"
#include "tlm-links/topology/up_down_routing.h"

namespace numavp {
namespace {

void expect(bool right, const Place& place, const std::string& otherwise) {
    if (!right) throw ConfigError(place, otherwise);
}

void check_names(const NetworkGraph& graph, const Place& place) {
    const auto check = [&](std::vector<std::string> names, const char* list) {
        std::sort(names.begin(), names.end());
        const auto twice = std::adjacent_find(names.begin(), names.end());
        if (twice != names.end())
            throw ConfigError(place.at(list), fmt::format("'{}' is there twice; names must differ", *twice));
    };
    check(graph.routers, "routers");
    std::vector<std::string> endpoints;
    for (const NetworkEndpoint& e : graph.endpoints) endpoints.push_back(e.name);
    check(std::move(endpoints), "endpoints");
}

void check_channels(const NetworkGraph& graph, const Place& place) {
    const std::size_t routers = graph.routers.size();
    for (std::size_t i = 0; i < graph.channels.size(); ++i) {
        const NetworkChannel& c = graph.channels[i];
        const Place here = place.at("channels").at(i);
        expect(
            c.from < routers && c.to < routers, here,
            fmt::format("the channel joins routers {} and {}; there are routers 0 to {}", c.from, c.to, routers - 1));
        expect(c.from != c.to, here,
               fmt::format("the channel joins {} with itself; two routers are expected", graph.routers[c.from]));
        const bool paired = c.reverse < graph.channels.size() && graph.channels[c.reverse].reverse == i &&
                            graph.channels[c.reverse].from == c.to && graph.channels[c.reverse].to == c.from;
        expect(paired, here, "no channel goes back; channels come in pairs that name each other");
    }
}

void check_lists(const NetworkGraph& graph, const Place& place) {
    expect(graph.transit.empty() || graph.transit.size() == graph.routers.size(), place.at("transit"),
           fmt::format("there are {} entries for {} routers; as many, or none, are expected", graph.transit.size(),
                       graph.routers.size()));
    for (const NetworkChannel& c : graph.channels)
        expect(graph.link_speeds.empty() || c.link < graph.link_speeds.size(), place.at("link_speeds"),
               fmt::format("there is none for kind {} of link; one for each is expected, or none", c.link));
}

void check_terminals(const NetworkGraph& graph, const Place& place) {
    std::size_t listed = 0;
    for (std::size_t e = 0; e < graph.endpoints.size(); ++e) {
        const NetworkEndpoint& endpoint = graph.endpoints[e];
        const Place here = place.at("endpoints").at(e);
        expect(!endpoint.terminals.empty(), here,
               fmt::format("{} has no terminal; at least one is expected", endpoint.name));
        listed += endpoint.terminals.size();
        for (const unsigned t : endpoint.terminals)
            expect(t < graph.terminals.size() && graph.terminals[t].endpoint == e &&
                       graph.terminals[t].router < graph.routers.size(),
                   here,
                   fmt::format("terminal {} of {} is not a terminal of it at a router; one is expected", t,
                               endpoint.name));
    }
    expect(listed == graph.terminals.size(), place.at("terminals"),
           fmt::format("there are {} terminals, and endpoints have {}; each must belong to one endpoint",
                       graph.terminals.size(), listed));
}

void check_ways(const Topology& made, const Place& place) {
    const NetworkGraph& graph = made.graph;
    for (unsigned e = 0; e < graph.endpoints.size(); ++e) {
        if (!graph.endpoints[e].requester) continue;
        for (const NetworkTerminal& t : graph.terminals) {
            const std::vector<unsigned> entries = made.routing->entries(e, t.router);
            const bool reached =
                !entries.empty() && made.routing->hops(graph.terminals[entries.front()].router, t.router) != kNoWay;
            const std::string &from = graph.endpoints[e].name, &to = graph.endpoints[t.endpoint].name;
            const std::string& at = graph.routers[t.router];
            const std::string missing = to == at // a part is its router
                                            ? fmt::format("no wire leads from {} to {}", from, to)
                                            : fmt::format("there is no way from {} to {} at {}", from, to, at);
            expect(reached, place.at("channels"), missing + "; requesters must reach every terminal");
        }
    }
}

/// Packets of the classes, or any if there are none, can't wait for each other in a circle.
bool flows(const NetworkGraph& graph, const Routing& routing, const std::vector<PacketClass>& classes) {
    if (classes.empty()) return find_circle(graph, routing).empty();
    return std::all_of(classes.begin(), classes.end(),
                       [&](const PacketClass& packets) { return find_circle(graph, routing, packets).empty(); });
}

std::unique_ptr<Routing> choose_form(const NetworkGraph& graph, const TopologySpec& spec,
                                     const std::vector<PacketClass>& classes) {
    const auto tables = std::make_shared<const WayTables>(graph);
    for (const TableForm form : {TableForm::all_best, TableForm::first_best}) {
        auto routing = std::make_unique<TableRouting>(form, graph, spec, tables);
        if (flows(graph, *routing, classes)) return routing;
    }
    if (tables->longest() <= spec.virtual_channels)
        return std::make_unique<TableRouting>(TableForm::hop_classes, graph, spec, tables);
    return std::make_unique<UpDownRouting>(graph, spec);
}

} // namespace

Topology make_explicit(NetworkGraph graph, unsigned vcs, const Place& place, const std::vector<PacketClass>& classes) {
    expect(!graph.routers.empty(), place.at("routers"), "there are no routers; at least one is expected");
    expect(graph.routers.size() <= kMostExplicitRouters, place.at("routers"),
           fmt::format("there are {} routers; at most {} are allowed", graph.routers.size(), kMostExplicitRouters));
    expect(vcs > 0, place.at("virtual_channels"), "virtual_channels is 0; it must be at least 1");
    check_names(graph, place);
    check_channels(graph, place);
    check_lists(graph, place);
    check_terminals(graph, place);
    TopologySpec spec;
    spec.entry = EntryKind::nearest;
    spec.virtual_channels = vcs;
    Topology made{std::move(graph), nullptr};
    made.routing = choose_form(made.graph, spec, classes);
    check_ways(made, place);
    return made;
}

} // namespace numavp
