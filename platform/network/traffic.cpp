#include "platform/network/traffic.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/words/number.h"
#include "tlm-links/packet/router_core.h"

namespace numavp {

namespace {
/// The side of the square that nodes form; 0 if they form none.
unsigned side_of(std::size_t nodes) {
    const auto side = static_cast<unsigned>(std::lround(std::sqrt(static_cast<double>(nodes))));
    return std::size_t{side} * side == nodes ? side : 0;
}

unsigned clusters_of(const NetworkGraph& graph) {
    unsigned clusters = 0;
    for (const NetworkEndpoint& e : graph.endpoints) clusters = std::max(clusters, e.cluster + 1);
    return clusters;
}

/// The one endpoint to which node `n` sends.
unsigned partner(TrafficKind kind, unsigned n, unsigned nodes, unsigned side) {
    const unsigned x = n % side, y = n / side;
    const unsigned step = side / 2 - 1;
    switch (kind) {
    case TrafficKind::complement: return nodes - 1 - n;
    case TrafficKind::tornado: return (y + step) % side * side + (x + step) % side;
    default: return x * side + y; // transpose
    }
}

std::vector<Flow> flows_of_nodes(TrafficKind kind, unsigned nodes, const std::string& place) {
    if (kind == TrafficKind::neighbour)
        throw ConfigError(place, "neighbour is traffic of processors with memories, and this is a network of nodes; "
                                 "uniform, complement, tornado, transpose and bad-permutation are allowed");
    const unsigned side = side_of(nodes);
    if (kind == TrafficKind::complement && (nodes & (nodes - 1)) != 0)
        throw ConfigError(place,
                          fmt::format("the bit complement needs a power of two of nodes, and there are {}", nodes));
    if (kind != TrafficKind::uniform && kind != TrafficKind::complement && side < 3)
        throw ConfigError(
            place, fmt::format("{} needs a square of 9 or more nodes, and there are {}", kTraffics.name(kind), nodes));
    std::vector<Flow> flows;
    for (unsigned n = 0; n < nodes; ++n) {
        if (kind == TrafficKind::uniform)
            for (unsigned to = 0; to < nodes; ++to) flows.push_back({n, to, 1.0});
        else if (kind == TrafficKind::bad_permutation)
            for (unsigned row = 0; row < side; ++row) flows.push_back({n, row * side + n / side, 1.0});
        else
            flows.push_back({n, partner(kind, n, nodes, std::max(side, 1U)), 1.0});
    }
    return flows;
}

std::vector<Flow> flows_of_processors(TrafficKind kind, const NetworkGraph& graph, const std::string& place) {
    if (kind != TrafficKind::uniform && kind != TrafficKind::neighbour && kind != TrafficKind::complement)
        throw ConfigError(place, fmt::format("{} is traffic of a network of nodes, and this one has processors and "
                                             "memories; uniform, neighbour and complement are allowed",
                                             kTraffics.name(kind)));
    const unsigned clusters = clusters_of(graph);
    std::vector<Flow> flows;
    for (unsigned from = 0; from < graph.endpoints.size(); ++from) {
        const NetworkEndpoint& sender = graph.endpoints[from];
        if (!sender.requester) continue;
        const unsigned to_cluster =
            kind == TrafficKind::neighbour ? (sender.cluster + 1) % clusters : clusters - 1 - sender.cluster;
        for (unsigned to = 0; to < graph.endpoints.size(); ++to) {
            if (graph.endpoints[to].requester) continue;
            if (kind == TrafficKind::uniform || graph.endpoints[to].cluster == to_cluster)
                flows.push_back({from, to, 1.0});
        }
    }
    return flows;
}
} // namespace

std::vector<Flow> flows_of(TrafficKind kind, const NetworkGraph& graph, const std::string& place) {
    const bool nodes = std::all_of(graph.endpoints.begin(), graph.endpoints.end(),
                                   [](const NetworkEndpoint& e) { return e.requester; });
    std::vector<Flow> flows = nodes ? flows_of_nodes(kind, static_cast<unsigned>(graph.endpoints.size()), place)
                                    : flows_of_processors(kind, graph, place);
    // Each endpoint sends as much at each of its terminals, whatever the number of those to whom it sends.
    std::vector<double> sums(graph.endpoints.size(), 0.0);
    for (const Flow& f : flows) sums[f.from] += f.weight;
    for (Flow& f : flows) f.weight *= static_cast<double>(graph.endpoints[f.from].entries()) / sums[f.from];
    return flows;
}

namespace {
std::string trimmed_field(std::string text) {
    constexpr const char* kBlanks = " \t\r";
    const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
    text = text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
    const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
    return quoted ? trimmed_field(text.substr(1, text.size() - 2)) : text;
}

/// The fields of a line, commas within quotes aside.
std::vector<std::string> csv_fields(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    for (std::string& field : fields) field = trimmed_field(std::move(field));
    return fields;
}
} // namespace

std::vector<Flow> read_flows(const std::string& path, const NetworkGraph& graph) {
    std::ifstream file(path);
    if (!file) throw ConfigError(path, "it can't be read; a file of lines from,to,weight is expected");
    std::vector<std::string_view> names;
    for (const NetworkEndpoint& e : graph.endpoints) names.emplace_back(e.name);
    const auto endpoint = [&](const std::string& name, const std::string& place) {
        for (unsigned e = 0; e < graph.endpoints.size(); ++e)
            if (graph.endpoints[e].name == name) return e;
        throw ConfigError(place, unknown_name("endpoint", name, names));
    };
    std::vector<Flow> flows;
    std::string line;
    const std::vector<std::string> header{"from", "to", "weight"};
    for (unsigned number = 1; std::getline(file, line); ++number) {
        constexpr const char* kByteOrderMark = "\xef\xbb\xbf";
        if (number == 1 && line.compare(0, 3, kByteOrderMark) == 0) line.erase(0, 3);
        const std::vector<std::string> fields = csv_fields(line);
        const bool empty = fields.size() == 1 && fields[0].empty();
        if (empty || fields[0][0] == '#' || (flows.empty() && fields == header)) continue;
        const std::string place = fmt::format("{}:{}", path, number);
        if (fields.size() != 3) throw ConfigError(place, fmt::format("'{}' is not from,to,weight", quotable(line)));
        const double weight = number_of<double>(place.c_str(), fields[2], 0.0, 1e9, "a weight from 0 to 1e9");
        flows.push_back({endpoint(fields[0], place), endpoint(fields[1], place), weight});
        if (!graph.endpoints[flows.back().from].requester)
            throw ConfigError(place, fmt::format("{} answers only; who begins traffic is expected",
                                                 graph.endpoints[flows.back().from].name));
    }
    double sum = 0;
    unsigned terminals = 0;
    for (const Flow& f : flows) sum += f.weight;
    for (const NetworkEndpoint& e : graph.endpoints)
        if (e.requester) terminals += static_cast<unsigned>(e.entries());
    if (sum <= 0) throw ConfigError(path, "there is no traffic in it; lines from,to,weight are expected");
    for (Flow& f : flows) f.weight *= terminals / sum;
    return flows;
}

// --- terminals

NetworkTraffic::NetworkTraffic(const NetworkGraph& graph, const Routing& routing, const std::vector<Flow>& flows)
    : from_(graph.terminals.size()) {
    for (const NetworkEndpoint& e : graph.endpoints)
        if (e.requester) requester_terminals_ += static_cast<unsigned>(e.entries());
    for (const Flow& flow : flows) {
        const std::vector<unsigned>& exits = graph.endpoints[flow.to].exits();
        for (const unsigned target : exits) {
            const std::vector<unsigned> entries = routing.entries(flow.from, graph.terminals[target].router);
            for (const unsigned source : entries) {
                Source& s = from_[source];
                const double weight = flow.weight / static_cast<double>(exits.size() * entries.size());
                s.share += weight;
                s.targets.push_back(target);
                s.below.push_back(s.share);
                s.alike = s.alike && std::abs(s.below.front() - weight) < 1e-12 * weight;
            }
        }
    }
    for (unsigned t = 0; t < from_.size(); ++t)
        if (from_[t].share > 0) sources_.push_back(t);
}

unsigned NetworkTraffic::draw(unsigned source, Rng& rng) const {
    const Source& s = from_[source];
    if (s.alike) return s.targets[s.targets.size() == 1 ? 0 : rng.below(s.targets.size())];
    const auto found = std::upper_bound(s.below.begin(), s.below.end(), rng.uniform() * s.share);
    return s.targets[static_cast<std::size_t>(std::min(found - s.below.begin(), std::ptrdiff_t(s.targets.size()) - 1))];
}

namespace {
/// Cycles from a router's input to its switch: of a head two more than of the flits behind it, which have its way and
/// its virtual channel already.
constexpr unsigned kHeadCycles = 2;

/// When the flits of a packet that meets nobody leave a router whose output takes one each `interval` / kCycle cycles,
/// and behind the head what the channel's format adds: `at` says when they come and, on return, when they go.
void pass_router(std::vector<std::uint64_t>& at, std::uint32_t interval, std::int64_t extra) {
    constexpr std::uint64_t kCycle = NetworkChannel::kCycle;
    const std::int64_t added = WireFormat::time(extra, interval);
    std::uint64_t next = 0, begun = at.front() + kHeadCycles;
    for (std::size_t k = 0; k < at.size(); ++k) {
        const auto served = static_cast<std::uint64_t>(static_cast<std::int64_t>(k * interval) + (k == 0 ? 0 : added));
        at[k] = std::max({k == 0 ? begun : at[k], next, begun + (served + kCycle - 1) / kCycle});
        next = at[k] + 1;
    }
    at.front() += WireFormat::delay_cycles(extra, interval);
}

bool passes(const Routing& routing, unsigned in, unsigned out) {
    const PassThrough* const through = routing.pass_through();
    if (through == nullptr) return false;
    return std::any_of(through->passes.begin(), through->passes.end(),
                       [&](const PassThrough::Pass& p) { return p.in == in && p.out == out; });
}
} // namespace

IdleWay idle_way(const NetworkGraph& graph, const Routing& routing, unsigned source, unsigned target, unsigned flits) {
    IdleWay way;
    std::vector<std::uint64_t> at(flits); // of each flit, at the input of the router
    for (unsigned k = 0; k < flits; ++k) at[k] = 1 + graph.terminals[source].latency_cycles + k;
    const unsigned first = graph.terminals[source].router, last = graph.terminals[target].router;
    const RouteLeg leg = routing.overlaid(first, last) ? RouteLeg::to_intermediate : RouteLeg::to_destination;
    unsigned came_by = ~0U; // channel
    for (unsigned router = first;; ++way.routers) {
        const bool ends = router == last;
        std::uint32_t interval = NetworkChannel::kCycle;
        std::int64_t extra = 0;
        unsigned cycles = RouterCore::kStages - kHeadCycles + graph.terminals[target].latency_cycles;
        if (!ends) {
            const RouteStep step = routing.steps(router, last, leg).front();
            const NetworkChannel& channel = graph.channels[step.channel];
            const bool passed = passes(routing, came_by, step.channel);
            came_by = step.channel;
            if (passed) {
                for (std::uint64_t& time : at) time += routing.pass_through()->cycles;
                router = channel.to;
                continue;
            }
            interval = channel.interval;
            extra = channel.format.extra(flits * channel.format.flit_bytes, flits);
            cycles = RouterCore::kStages - kHeadCycles + channel.latency_cycles + channel.tail_cycles();
            router = channel.to;
        }
        pass_router(at, interval, extra);
        for (std::uint64_t& time : at) time += cycles;
        if (ends) break;
    }
    ++way.routers;
    way.cycles = static_cast<unsigned>(at.back());
    return way;
}

NetworkTraffic::ZeroLoad NetworkTraffic::zero_load(const NetworkGraph& graph, const Routing& routing, unsigned flits,
                                                   bool backwards) const {
    ZeroLoad sum;
    double weights = 0;
    for (const unsigned source : sources_) {
        const Source& s = from_[source];
        for (std::size_t i = 0; i < s.targets.size(); ++i) {
            const double weight = s.below[i] - (i == 0 ? 0.0 : s.below[i - 1]);
            const unsigned a = backwards ? s.targets[i] : source, b = backwards ? source : s.targets[i];
            const IdleWay way = idle_way(graph, routing, a, b, flits);
            sum.latency_cycles += weight * way.cycles;
            sum.routers += weight * way.routers;
            weights += weight;
        }
    }
    return {sum.latency_cycles / weights, sum.routers / weights};
}

} // namespace numavp
