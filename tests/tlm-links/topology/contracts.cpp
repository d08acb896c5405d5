#include "contracts.h"

#include <algorithm>

#include <fmt/format.h>

#include "shape.h"
#include "tlm-links/topology/graph/dependencies.h"

namespace numavp::test {
namespace {

using Spec = TopologySpec;

std::vector<RouteLeg> legs(const Spec& spec) {
    if (spec.routing == RoutingKind::ugal) return {RouteLeg::to_intermediate, RouteLeg::to_destination};
    return {RouteLeg::to_destination};
}

/// Calls `check(router, target, leg, steps)` for each two routers with a way; the first breach that it returns.
template <class F> std::string each_steps(const Spec& spec, const Topology& made, F check) {
    const auto routers = static_cast<unsigned>(made.graph.routers.size());
    for (const RouteLeg leg : legs(spec))
        for (unsigned r = 0; r < routers; ++r)
            for (unsigned t = 0; t < routers; ++t) {
                if (r == t || made.routing->hops(r, t) == kNoWay) continue;
                const std::string wrong = check(r, t, leg, made.routing->steps(r, t, leg));
                if (!wrong.empty()) return fmt::format("{} to {}: {}", r, t, wrong);
            }
    return "";
}

std::string channels_pair_up(const Spec& spec, const Topology& made) {
    const std::vector<NetworkChannel>& channels = made.graph.channels;
    for (unsigned c = 0; c < channels.size(); ++c) {
        const unsigned back = channels[c].reverse;
        if (back >= channels.size() || channels[back].reverse != c || channels[back].from != channels[c].to ||
            channels[back].to != channels[c].from)
            return fmt::format("channel {} has no channel back", c);
        if (channels[c].latency_cycles != spec.channel_cycles) return fmt::format("latency of channel {}", c);
    }
    return "";
}

std::string channels_by_formula(const Spec& spec, const Topology& made) {
    const std::uint64_t expected = 2 * count_channels(spec);
    if (made.graph.channels.size() == expected) return "";
    return fmt::format("{} channels instead of {}", made.graph.channels.size(), expected);
}

std::string terminals_of_cubes(const Spec& spec, const NetworkGraph& graph) {
    const unsigned cubes = spec.processors * spec.routers_per_processor;
    if (graph.routers.size() != cubes || graph.endpoints.size() != spec.processors + cubes) return "routers, endpoints";
    for (unsigned e = 0; e < graph.endpoints.size(); ++e) {
        const NetworkEndpoint& endpoint = graph.endpoints[e];
        const bool gpu = e < spec.processors;
        const unsigned h = e - spec.processors;
        const unsigned cluster = gpu ? e : h / spec.routers_per_processor;
        std::string name = gpu ? fmt::format("gpu[{}]", e) : fmt::format("cube[{}]", h);
        if (endpoint.name != name || endpoint.requester != gpu || endpoint.cluster != cluster) return name;
        const unsigned each = gpu ? spec.channels_per_router : spec.terminals_per_router;
        if (endpoint.terminals.size() != (gpu ? each * spec.routers_per_processor : each)) return name + " terminals";
        for (unsigned i = 0; i < endpoint.terminals.size(); ++i) {
            const NetworkTerminal& t = graph.terminals[endpoint.terminals[i]];
            if (t.endpoint != e || t.router != (gpu ? e * spec.routers_per_processor + i / each : h) ||
                t.latency_cycles != (gpu ? spec.processor_cycles : spec.terminal_cycles))
                return fmt::format("terminal {} of {}", i, name);
        }
    }
    return "";
}

/// Node n of a two-dimensional grid with c = e x e nodes a router, else c in a row at each router.
unsigned router_of_node(const Spec& spec, unsigned leaf, unsigned n) {
    if (of_trees(spec.topology) || of_groups(spec.topology)) return leaf + n / spec.concentration;
    const std::vector<unsigned> sizes = shape(spec);
    if (sizes.size() == 2 && spec.concentration == 4) {
        const unsigned wide = sizes[0] * 2;
        return n % wide / 2 + n / wide / 2 * sizes[0];
    }
    if (sizes.size() == 3 && spec.concentration == 8) {
        const unsigned x = sizes[0] * 2, y = sizes[1] * 2;
        return n % x / 2 + sizes[0] * (n / x % y / 2 + sizes[1] * (n / x / y / 2));
    }
    return n / spec.concentration;
}

std::string terminals_of_nodes(const Spec& spec, const NetworkGraph& graph) {
    unsigned with_nodes = 1, routers = 1;
    for (const unsigned n : spec.dimensions) routers += with_nodes *= n;
    const unsigned leaf = of_trees(spec.topology) ? routers - with_nodes : 0;
    if (graph.routers.size() != leaf + with_nodes || graph.endpoints.size() != with_nodes * spec.concentration)
        return "routers, endpoints";
    for (unsigned r = 0; r < graph.routers.size(); ++r)
        if (graph.routers[r] != fmt::format("router[{}]", r)) return graph.routers[r];
    for (unsigned n = 0; n < graph.endpoints.size(); ++n) {
        const NetworkEndpoint& e = graph.endpoints[n];
        if (e.name != fmt::format("node[{}]", n) || !e.requester || e.terminals != std::vector{n}) return e.name;
        const NetworkTerminal& t = graph.terminals[n];
        if (t.endpoint != n || t.router != router_of_node(spec, leaf, n) || t.latency_cycles != spec.processor_cycles)
            return fmt::format("{} is at {}", e.name, graph.routers[t.router]);
    }
    return "";
}

std::string terminals_in_place(const Spec& spec, const Topology& made) {
    return of_cubes(spec.topology) ? terminals_of_cubes(spec, made.graph) : terminals_of_nodes(spec, made.graph);
}

/// The processors' rule of entry, from distances and numbers alone.
bool may_enter(const Spec& spec, const NetworkGraph& graph, unsigned endpoint, unsigned entry, unsigned target) {
    if (!graph.endpoints[endpoint].requester || !of_cubes(spec.topology)) return true;
    const unsigned slices = spec.routers_per_processor;
    if (spec.entry == EntryKind::random) return true;
    if (spec.entry == EntryKind::slice || sliced(spec.topology)) return entry % slices == target % slices;
    if (of_groups(spec.topology)) { // its own cube, or the one with the channel to the other cluster
        const unsigned own = graph.endpoints[endpoint].cluster, other = target / slices;
        return own == other ? entry == target : entry % slices == (other < own ? other : other - 1) % slices;
    }
    const std::vector<unsigned> hops = distances(graph, target);
    for (unsigned i = 0; i < slices; ++i)
        if (hops[graph.endpoints[endpoint].cluster * slices + i] < hops[entry]) return false;
    return true;
}

std::string entries_by_rule(const Spec& spec, const Topology& made) {
    for (unsigned e = 0; e < made.graph.endpoints.size(); ++e)
        for (unsigned target = 0; target < made.graph.routers.size(); ++target) {
            std::vector<unsigned> expected;
            for (const unsigned t : made.graph.endpoints[e].terminals)
                if (may_enter(spec, made.graph, e, made.graph.terminals[t].router, target)) expected.push_back(t);
            if (made.routing->entries(e, target) != expected)
                return fmt::format("{} to {}", made.graph.endpoints[e].name, made.graph.routers[target]);
        }
    return "";
}

/// Every requester reaches every terminal of others, and of its own cubes, from each entry, and the answers come back.
std::string all_reached(const Spec&, const Topology& made) {
    const NetworkGraph& graph = made.graph;
    for (unsigned e = 0; e < graph.endpoints.size(); ++e) {
        if (!graph.endpoints[e].requester) continue;
        for (const NetworkTerminal& to : graph.terminals) {
            const std::vector<unsigned> entries = made.routing->entries(e, to.router);
            if (entries.empty()) return fmt::format("{} has no entry to {}", e, to.router);
            for (const unsigned t : entries) {
                const unsigned entry = graph.terminals[t].router;
                if (made.routing->hops(entry, to.router) == kNoWay || made.routing->hops(to.router, entry) == kNoWay)
                    return fmt::format("{} and {}", graph.routers[entry], graph.routers[to.router]);
            }
        }
    }
    return "";
}

/// Since every step leads a hop nearer, every drawn walk is `hops` long. Ways are the shortest, but of dragonflies
/// those over the one channel between the groups.
std::string hops_of_walks(const Spec& spec, const Topology& made) {
    const Routing& routing = *made.routing;
    for (unsigned r = 0; r < made.graph.routers.size(); ++r) {
        const std::vector<unsigned> shortest = distances(made.graph, r);
        for (unsigned t = 0; t < made.graph.routers.size(); ++t) {
            const unsigned hops = routing.hops(r, t);
            const bool right = of_groups(spec.topology) ? hops >= shortest[t] && hops <= 3 : hops == shortest[t];
            if (!right) return fmt::format("{} hops from {} to {}, shortest {}", hops, r, t, shortest[t]);
            if (routing.steps(r, t, RouteLeg::to_destination).empty() != (hops == 0 || hops == kNoWay)) return "steps";
        }
    }
    return each_steps(spec, made, [&](unsigned r, unsigned t, RouteLeg, const std::vector<RouteStep>& steps) {
        for (const RouteStep& step : steps) {
            if (made.graph.channels[step.channel].from != r) return std::string("a channel of another router");
            if (routing.hops(made.graph.channels[step.channel].to, t) + 1 != routing.hops(r, t))
                return fmt::format("a step to {} is not a hop nearer", made.graph.channels[step.channel].to);
        }
        return std::string();
    });
}

/// Steps: the parallel channels of one hop; on a ring both ways at equal distance. In grids along the first dimension
/// in which the routers differ.
std::string choice_of_steps(const Spec& spec, const Topology& made) {
    const std::vector<unsigned> sizes = shape(spec);
    const bool grid = !of_groups(spec.topology) && !of_trees(spec.topology);
    return each_steps(spec, made, [&](unsigned r, unsigned t, RouteLeg, const std::vector<RouteStep>& steps) {
        std::size_t expected = spec.parallel_channels;
        if (grid) {
            unsigned d = 0;
            while (coordinate(sizes, r, d) == coordinate(sizes, t, d)) ++d;
            const unsigned up = (coordinate(sizes, t, d) + sizes[d] - coordinate(sizes, r, d)) % sizes[d];
            if (wraps(spec.topology) && sizes[d] > 2 && 2 * up == sizes[d]) expected *= 2;
            for (const RouteStep& step : steps)
                for (unsigned other = 0; other < sizes.size(); ++other) {
                    const unsigned to = made.graph.channels[step.channel].to;
                    if (other != d && coordinate(sizes, to, other) != coordinate(sizes, r, other))
                        return fmt::format("moves in dimension {}", other);
                }
        }
        return steps.size() == expected ? "" : fmt::format("{} steps instead of {}", steps.size(), expected);
    });
}

/// Whether a packet on a ring of `size` that goes from `from` to `to` by way of `next` takes the wrap link.
bool takes_wrap(unsigned size, unsigned from, unsigned next, unsigned to) {
    const bool up = next == (from + 1) % size;
    for (unsigned x = from; x != to; x = up ? (x + 1) % size : (x + size - 1) % size)
        if (x == (up ? size - 1 : 0)) return true;
    return false;
}

/// The share of V virtual channels, as the table of networks has it for 6.
VcRange expected_vcs(const Spec& spec, unsigned r, unsigned next, unsigned t, RouteLeg leg) {
    const unsigned v = spec.virtual_channels;
    const bool ugal = spec.routing == RoutingKind::ugal, first_leg = leg == RouteLeg::to_intermediate;
    const std::vector<unsigned> sizes = shape(spec);
    if (of_groups(spec.topology)) {
        const bool arrived = r / sizes[0] == t / sizes[0];
        if (!ugal) return arrived ? VcRange{v / 2, v} : VcRange{0, v / 2};
        const unsigned sixth = std::max(1U, v / 6), middle = 2 * sixth + (v - 2 * sixth) / 2;
        if (first_leg) return arrived ? VcRange{sixth, 2 * sixth} : VcRange{0, sixth};
        return arrived ? VcRange{middle, v} : VcRange{2 * sixth, middle};
    }
    if (ugal) return first_leg ? VcRange{0, v / 2} : VcRange{v / 2, v};
    if (!wraps(spec.topology)) return {0, v};
    unsigned d = 0;
    while (coordinate(sizes, r, d) == coordinate(sizes, t, d)) ++d;
    if (sizes[d] <= 2) return {0, v};
    const bool ahead =
        takes_wrap(sizes[d], coordinate(sizes, r, d), coordinate(sizes, next, d), coordinate(sizes, t, d));
    return ahead ? VcRange{0, v / 2} : VcRange{v / 2, v};
}

std::string virtual_channels(const Spec& spec, const Topology& made) {
    return each_steps(spec, made, [&](unsigned r, unsigned t, RouteLeg leg, const std::vector<RouteStep>& steps) {
        for (const RouteStep& step : steps) {
            const VcRange e = expected_vcs(spec, r, made.graph.channels[step.channel].to, t, leg);
            if (step.vcs.first >= step.vcs.end || step.vcs.first != e.first || step.vcs.end != e.end)
                return fmt::format("VCs {}-{} instead of {}-{}", step.vcs.first, step.vcs.end, e.first, e.end);
        }
        return std::string();
    });
}

/// Clusters a and b of a dragonfly join at router (b < a ? b : b - 1) of a and (a < b ? a : a - 1) of b.
std::string groups_join(const Spec& spec, const Topology& made) {
    if (!of_groups(spec.topology)) return "";
    const unsigned each = shape(spec)[0];
    for (const NetworkChannel& c : made.graph.channels) {
        const unsigned a = c.from / each, b = c.to / each;
        if (a != b && c.from % each != (b < a ? b : b - 1) % each) return fmt::format("{} to {}", c.from, c.to);
    }
    return "";
}

/// In a flattened butterfly of nodes: whether `via` has all coordinates that the two have in common.
bool between(const Spec& spec, unsigned a, unsigned b, unsigned via) {
    if (spec.topology != TopologyKind::flattened_butterfly) return true;
    for (const unsigned size : spec.dimensions) {
        if (a % size == b % size && via % size != a % size) return false;
        a /= size;
        b /= size;
        via /= size;
    }
    return true;
}

std::string intermediates(const Spec& spec, const Topology& made) {
    const auto routers = static_cast<unsigned>(made.graph.routers.size());
    for (unsigned r = 0; r < routers; ++r) {
        const std::vector<unsigned> hops = distances(made.graph, r);
        for (unsigned t = 0; t < routers; ++t) {
            std::vector<unsigned> expected;
            for (unsigned i = 0; i < routers && spec.routing == RoutingKind::ugal && hops[t] != kNoWay; ++i)
                if (i != r && i != t && hops[i] != kNoWay && between(spec, r, t, i)) expected.push_back(i);
            if (made.routing->intermediates(r, t) != expected) return fmt::format("{} to {}", r, t);
        }
    }
    return "";
}

std::string no_circle(const Spec&, const Topology& made) {
    return find_circle(made.graph, *made.routing).empty() ? "" : "packets may wait for each other";
}

} // namespace

const std::vector<Contract> kContracts = {
    {"channels_pair_up", channels_pair_up},
    {"channels_by_formula", channels_by_formula},
    {"terminals_in_place", terminals_in_place},
    {"entries_by_rule", entries_by_rule},
    {"all_reached", all_reached},
    {"hops_of_walks", hops_of_walks},
    {"choice_of_steps", choice_of_steps},
    {"virtual_channels", virtual_channels},
    {"groups_join", groups_join},
    {"intermediates", intermediates},
    {"no_circle", no_circle},
};

} // namespace numavp::test
