#include "common/system/network_settings.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/faulty_network.h"
#include "common/system/host_core_place.h"
#include "common/system/system_config.h"
#include "common/system/wired_network.h"
#include "tlm-links/packet/router_core.h"
#include "tlm-links/packet/turning_channels.h"

namespace numavp {

namespace {

constexpr const char* kAllRouters = "all"; ///< value of network.non_blocking for all routers of a topology

/// Two factors as near to each other as there are, the smaller first.
std::vector<unsigned> near_square(unsigned n) {
    unsigned side = 1;
    for (unsigned d = 1; d * d <= n; ++d)
        if (n % d == 0) side = d;
    return {side, n / side};
}

/// Named is the setting that asks for most of the ports: `terminals` for those of sockets, else `channels`.
void check_ports(const NetworkGraph& graph, const Place& place, const char* terminals, const char* channels) {
    for (unsigned r = 0; r < graph.routers.size(); ++r) {
        const unsigned ports = graph.ports(r);
        if (ports <= RouterCore::kMaxPorts) continue;
        const auto here = [r](const NetworkTerminal& t) { return t.router == r; };
        const auto own = static_cast<unsigned>(std::count_if(graph.terminals.begin(), graph.terminals.end(), here));
        throw ConfigError(place.at(2 * own > ports ? terminals : channels),
                          fmt::format("{} needs {} ports for sockets and channels; {} are allowed", graph.routers[r],
                                      ports, RouterCore::kMaxPorts));
    }
}

/// Place of a field of the part that has this socket.
Place part_place(const SystemConfig& config, unsigned socket, const char* field, const Place& system) {
    return system.at("parts").at(part_of_socket(config.parts, socket).value_or(0)).at(field);
}

/// Channels of each part's end: between routers, and in networks of cubes between a GPU and its cubes.
std::vector<unsigned> channels_of_ends(const NetworkGraph& graph, FabricKind topology) {
    std::vector<unsigned> of_router(graph.routers.size(), 0);
    for (const NetworkChannel& channel : graph.channels) ++of_router[channel.from];
    if (topology == FabricKind::wires) return of_router; // those of sockets, then the others
    const bool cubes = has_cubes(topology);
    for (const NetworkTerminal& t : graph.terminals)
        if (cubes && graph.endpoints[t.endpoint].requester) ++of_router[t.router];
    std::vector<unsigned> used;
    for (const NetworkEndpoint& endpoint : graph.endpoints)
        used.push_back(cubes && endpoint.requester ? static_cast<unsigned>(endpoint.terminals.size())
                                                   : of_router[graph.terminals[endpoint.terminals.front()].router]);
    return used;
}

/// Parts have place for their channels.
void check_channels(const NetworkGraph& graph, const SystemConfig& config, const Place& system) {
    const auto bounded = [](const PartSystemConfig& part) { return part.channels != 0; };
    if (std::none_of(config.parts.begin(), config.parts.end(), bounded)) return;
    const WiredParts parts(config);
    const std::vector<unsigned> used = channels_of_ends(graph, config.network.topology);
    for (std::size_t i = 0; i < config.parts.size(); ++i) {
        const PartSystemConfig& part = config.parts[i];
        const Place place = system.at("parts").at(i).at("channels");
        if (!bounded(part)) continue;
        for (const unsigned end : parts.find(part.name, place))
            if (used[end] > part.channels)
                throw ConfigError(place, fmt::format("{} needs {} channels to other parts, and it has {}; as many as "
                                                     "are needed must be allowed, or 0 for any number",
                                                     parts.label(end), used[end], part.channels));
    }
}

/// Endpoints, and the routers of cubes, are called after their sockets.
void name_sockets(NetworkGraph& graph, const SystemConfig& config) {
    const WiredParts parts(config);
    for (unsigned e = 0; e < graph.endpoints.size(); ++e) {
        NetworkEndpoint& endpoint = graph.endpoints[e];
        const std::string before = std::exchange(endpoint.name, parts.label(e));
        std::string& router = graph.routers[graph.terminals[endpoint.terminals.front()].router];
        if (router == before) router = endpoint.name;
    }
}

/// What both kinds of networks have.
TopologySpec common_spec(const SystemConfig& config, const Place& place) {
    const NetworkSystemConfig& c = config.network;
    TopologySpec spec;
    spec.topology = topology_of(c.topology);
    spec.parallel_channels = c.parallel_channels;
    spec.channel_cycles = network_cycles(c.channel_ns, c, place.at("channel_ns"));
    spec.processor_cycles = network_cycles(c.terminal_ns, c, place.at("terminal_ns"));
    spec.virtual_channels = channels_before_faults(config, place);
    spec.routing = c.routing;
    return spec;
}

/// Sockets with SMs ask, those with memory serve, each by as many ports as its part has terminals. The host has a port
/// of each kind beside those of the first routers.
TopologySpec butterfly_spec(const SystemConfig& config, const Place& place) {
    TopologySpec spec = common_spec(config, place);
    spec.dimensions = config.network.dimensions;
    const WiredParts parts(config);
    const bool walks = config.translation.mode != TranslationMode::off;
    const std::optional<SocketId> core = host_core_socket(config);
    for (unsigned s = 0; s < config.sockets; ++s) {
        const SocketConfig& socket = config.socket_at(s);
        const bool asks = socket.sms != 0 || walks || core == SocketId(s);
        if (!asks && !socket.has_memory())
            throw ConfigError(place.at("topology"),
                              fmt::format("{} neither asks nor serves at a butterfly, without SMs "
                                          "and memory; a socket that does is expected",
                                          parts.label(s)));
        spec.asking.push_back(asks ? parts.terminals_of(s) : 0);
        spec.serving.push_back(socket.has_memory() ? parts.terminals_of(s) : 0);
        if (socket.has_memory() && socket.l2.slices < parts.terminals_of(s)) spec.slices = socket.l2.slices;
    }
    spec.guests = has_host_memory(config) ? 1 : 0;
    return spec;
}

/// The host is a node beside the sockets where they do not fill the routers without it.
TopologySpec node_spec(const SystemConfig& config, const Place& place) {
    const NetworkSystemConfig& c = config.network;
    const unsigned ends = end_count(config), nodes = ends % c.concentration == 0 ? ends : config.sockets;
    if (nodes % c.concentration != 0)
        throw ConfigError(place.at("concentration"),
                          fmt::format("{} sockets do not fill routers with {} each; a divisor "
                                      "is allowed",
                                      config.sockets, c.concentration));
    TopologySpec spec = common_spec(config, place);
    spec.dimensions = c.dimensions.empty() ? default_dimensions(spec.topology, nodes / c.concentration) : c.dimensions;
    spec.concentration = c.concentration;
    return spec;
}

/// Sockets are GPUs first, then the cubes of each, side by side: the order of the topology's endpoints.
TopologySpec cube_spec(const SystemConfig& config, const Place& system) {
    const NetworkSystemConfig& c = config.network;
    const Place place = system.at("network");
    const unsigned of_one = 1 + c.cubes_per_gpu;
    if (has_host_memory(config)) // cubes of different slices, whose engines would copy pages, do not reach each other
        throw ConfigError(
            place.at("topology"),
            fmt::format("{} has no place for the host's memory, which the driver or the page tables need; "
                        "another topology is allowed, or driver.execution none and translation.tables "
                        "sockets",
                        kFabrics.name(c.topology)));
    const Place counts =
        config.parts.empty() ? place.at("cubes_per_gpu") : system.at("parts").at(std::size_t{0}).at("count");
    if (config.sockets % of_one != 0)
        throw ConfigError(counts,
                          fmt::format("{} sockets are no GPUs with {} cubes each; a multiple of {} sockets is expected",
                                      config.sockets, c.cubes_per_gpu, of_one));
    TopologySpec spec = common_spec(config, place);
    spec.processors = config.sockets / of_one;
    spec.routers_per_processor = c.cubes_per_gpu;
    spec.channels_per_router = c.channels_per_cube;
    spec.terminals_per_router = c.terminals_per_cube;
    spec.terminal_cycles = network_cycles(c.cube_ns, c, place.at("cube_ns"));
    spec.entry = c.entry;
    spec.dimensions = c.dimensions;
    for (unsigned s = spec.processors; s < config.sockets; ++s)
        if (config.socket_at(s).sms != 0)
            throw ConfigError(place.at("topology"),
                              fmt::format("{} is a memory cube of {}, and it has {} SMs; 0 is allowed",
                                          config.socket_name(s), kFabrics.name(c.topology), config.socket_at(s).sms));
    return spec;
}
} // namespace

std::vector<unsigned> default_dimensions(TopologyKind kind, unsigned routers) {
    switch (kind) {
    case TopologyKind::mesh:
    case TopologyKind::torus:
    case TopologyKind::flattened_butterfly:
    case TopologyKind::dragonfly: return near_square(routers);
    default: return {routers};
    }
}

bool has_network(const SystemConfig& config) {
    return config.network.topology != FabricKind::single_switch && end_count(config) > 1;
}

double channel_bytes_per_s(const NetworkSystemConfig& network) {
    return static_cast<double>(network.flit_bytes) * network.noc_khz * 1000.0;
}

std::vector<unsigned> requesting_sockets(const SystemConfig& config) {
    std::vector<unsigned> asking;
    const std::optional<SocketId> core = host_core_socket(config);
    for (unsigned s = 0; s < config.sockets; ++s)
        if (config.socket_at(s).sms != 0 || core == SocketId(s)) asking.push_back(s);
    return asking;
}

bool only_sms_request(const SystemConfig& config) {
    return config.translation.mode == TranslationMode::off && !has_host_memory(config);
}

namespace {
SystemNetwork made_network(const SystemConfig& config, const Place& system, RoutedFor packets) {
    const NetworkSystemConfig& c = config.network;
    const Place place = system.at("network");
    const unsigned ports = end_count(config);
    const unsigned largest = config.packets.padded(kLineBytes + config.packets.header_bytes);
    if (c.buffer_bytes < (largest + c.flit_bytes - 1) / c.flit_bytes * c.flit_bytes)
        throw ConfigError(place.at("buffer_bytes"),
                          fmt::format("{} B do not hold a packet of {} B in flits of {} B; more are expected",
                                      c.buffer_bytes, largest, c.flit_bytes));
    if (c.buffer_bytes / c.flit_bytes > kMostBufferFlits)
        throw ConfigError(place.at("buffer_bytes"), fmt::format("{} B are {} flits; {} are allowed", c.buffer_bytes,
                                                                c.buffer_bytes / c.flit_bytes, kMostBufferFlits));
    if (c.topology == FabricKind::wires) {
        SystemNetwork wired = wired_network(config, system, packets);
        check_ports(wired.topology.graph, place, "wires", "wires");
        check_channels(wired.topology.graph, config, system);
        return wired;
    }
    SystemNetwork made;
    made.links = {common_link(c)};
    if (c.topology == FabricKind::butterfly)
        made.spec = butterfly_spec(config, place);
    else
        made.spec = has_cubes(c.topology) ? cube_spec(config, system) : node_spec(config, place);
    try {
        made.topology = make_topology(made.spec, place, system.at("routing"));
        if (has_host_memory(config) && made.topology.graph.endpoints.size() == config.sockets) { // no place is left
            made.spec.guests = 1;
            made.topology = make_topology(made.spec, place, system.at("routing"));
        }
    } catch (const ConfigError& refused) { // for a topology's own words the file has other ones
        const auto of_file = [&](const char* word, const Place& there) {
            const std::string named = place.at(word);
            const std::string_view what = refused.what();
            if (what.substr(0, named.size()) == named)
                throw ConfigError(there, std::string(what.substr(named.size() + 2)));
        };
        of_file("processors", config.parts.empty() ? place.at("dimensions") : part_place(config, 0, "count", system));
        throw;
    }
    NetworkGraph& graph = made.topology.graph;
    if (graph.endpoints.size() != ports)
        throw ConfigError(place.at("dimensions"),
                          fmt::format("they make a network of {} sockets; there are {}{}", graph.endpoints.size(),
                                      config.sockets, has_host_memory(config) ? " and the host" : ""));
    name_sockets(graph, config);
    if (!c.non_blocking.empty()) {
        if (c.non_blocking != kAllRouters)
            throw ConfigError(
                place.at("non_blocking"),
                fmt::format("{} names parts of a file with network.wires; with network.topology {} \"{}\" "
                            "is allowed, or \"\"",
                            c.non_blocking, kFabrics.name(c.topology), kAllRouters));
        graph.non_blocking.resize(graph.routers.size());
        std::iota(graph.non_blocking.begin(), graph.non_blocking.end(), 0U);
    }
    check_channels(graph, config, system);
    for (NetworkChannel& channel : graph.channels) channel.format = wire_format(c.dress, c);
    check_ports(graph, place, has_cubes(c.topology) ? "terminals_per_cube" : "concentration", "parallel_channels");
    return made;
}

} // namespace

SystemNetwork system_network(const SystemConfig& config, const Place& system, RoutedFor packets) {
    SystemNetwork made = made_network(config, system, packets);
    if (links_fail(config)) add_detour(made, config, system);
    channel_lane_faults(made, config, system); // refuses what is not there
    return made;
}

NetworkLink common_link(const NetworkSystemConfig& c) {
    NetworkLink link;
    link.gbytes_per_s = channel_bytes_per_s(c) / 1e9;
    link.latency_ns = c.channel_ns;
    link.energy_pj_per_bit = c.energy_pj_per_bit;
    link.idle_pj_per_bit = c.idle_pj_per_bit;
    link.dress = c.dress;
    return link;
}

WireFormat wire_format(const NetworkDress& dress, const NetworkSystemConfig& c) {
    return {dress.overhead_bytes, dress.granule_bytes, c.flit_bytes};
}

bool cuts_a_channel(const NetworkSystemConfig& c) {
    return c.dress.cut != LinkCutKind::none || std::any_of(c.links.begin(), c.links.end(), [](const NetworkLink& link) {
               return link.dress.cut != LinkCutKind::none;
           });
}

ChannelErrors channel_errors(const NetworkLink& link, const NetworkSystemConfig& c) {
    const LinkErrors& errors = link.dress.errors;
    const auto cycles = [&c](double us) { return static_cast<Cycle>(std::llround(us * c.noc_khz / 1e3)); };
    ChannelErrors made;
    made.bit_error_rate = errors.bit_error_rate;
    made.seed = errors.seed;
    made.flit_bits = c.flit_bytes * 8;
    made.buffer_flits = errors.buffer_bytes / c.flit_bytes;
    made.retire_errors = errors.retire_errors;
    made.retire_window = cycles(errors.retire_window_us);
    made.retrain_cycles = cycles(errors.retrain_us);
    made.retires = link.lanes != 0 && errors.given() && errors.retire_errors != 0;
    return made;
}

ChannelLanes channel_lanes(const NetworkLink& link, const NetworkSystemConfig& c) {
    const auto cycles = [&c](double ns) { return static_cast<Cycle>(std::llround(ns * c.noc_khz / 1e6)); };
    ChannelLanes made;
    made.turner.wired = {link.lanes, link.lanes};
    made.turner.balancer = link.balancer;
    made.turner.params = link.params;
    made.turner.sample_cycles = std::max<Cycle>(1, cycles(link.sample_ns));
    made.turner.switch_cycles = cycles(link.switch_ns);
    return made;
}

unsigned network_cycles(double ns, const NetworkSystemConfig& c, const Place& place) {
    const double cycles = std::max(1.0, std::round(ns * c.noc_khz / 1e6));
    if (cycles > 1000)
        throw ConfigError(place,
                          fmt::format("{} ns are {:g} cycles of {} kHz; 1000 are allowed", ns, cycles, c.noc_khz));
    return static_cast<unsigned>(cycles);
}

namespace {
/// "8 channels of 64 GB/s each way", or by kind of link.
std::string channels_text(const SystemNetwork& network) {
    std::vector<unsigned> of_kind(network.links.size(), 0);
    for (const NetworkChannel& channel : network.topology.graph.channels) ++of_kind[channel.link];
    std::string text;
    for (std::size_t k = 0; k < of_kind.size(); ++k)
        if (of_kind[k] != 0)
            text += fmt::format("{}{} {} of {:g} GB/s", text.empty() ? "" : ", ", of_kind[k] / 2,
                                k == 0 ? "channels" : network.links[k].name, network.links[k].gbytes_per_s);
    return text + " each way";
}

/// Cycles for a request of one flit from routers to one of them. Ways are followed once from each router.
class RouterWays {
  public:
    RouterWays(const Topology& made, unsigned last) : made_(made), last_(last), cycles_(made.graph.routers.size(), 0) {
        cycles_[last] = RouterCore::kStages;
    }
    unsigned from(unsigned router) {
        std::vector<std::pair<unsigned, unsigned>> passed; // routers, and cycles to the next one
        while (cycles_[router] == 0) {
            const NetworkChannel& next =
                made_.graph.channels[made_.routing->steps(router, last_, RouteLeg::to_destination).front().channel];
            const std::int64_t extra = next.format.extra(next.format.flit_bytes, 1);
            passed.emplace_back(router, RouterCore::kStages + next.latency_cycles + next.tail_cycles() +
                                            WireFormat::delay_cycles(extra, next.interval));
            router = next.to;
        }
        unsigned cycles = cycles_[router];
        for (; !passed.empty(); passed.pop_back())
            cycles = cycles_[passed.back().first] = cycles + passed.back().second;
        return cycles;
    }

  private:
    const Topology& made_;
    unsigned last_;
    std::vector<unsigned> cycles_; ///< 0: not known yet
};

struct CrossingCycles {
    unsigned least = ~0U, most = 0;
    bool none() const { return most == 0; }
};
/// Cycles of the network for a request of one flit, from the edge at which it is given to an interface to the edge at
/// which it is handed over: an edge to be taken in, NetworkCore's closed form, an edge to be handed over. Over the
/// sockets of `askers` and others that serve.
CrossingCycles crossing_cycles(const SystemConfig& config, const Topology& made, const std::vector<unsigned>& askers) {
    const NetworkGraph& graph = made.graph;
    CrossingCycles found;
    for (unsigned b = 0; b < config.sockets; ++b) {
        if (!config.socket_at(b).has_memory()) continue;
        for (const unsigned exit : graph.endpoints[b].terminals) {
            const unsigned last = graph.terminals[exit].router;
            RouterWays ways(made, last);
            for (const unsigned a : askers) {
                if (a == b) continue;
                for (const unsigned entry : made.routing->entries(a, last)) {
                    const unsigned cycles = 3 + graph.terminals[entry].latency_cycles +
                                            graph.terminals[exit].latency_cycles +
                                            ways.from(graph.terminals[entry].router);
                    found.least = std::min(found.least, cycles);
                    found.most = std::max(found.most, cycles);
                }
            }
        }
    }
    return found;
}
} // namespace

std::string network_words(const SystemConfig& config) {
    const SystemNetwork network = system_network(config, Place("system"));
    return fmt::format("{} of {} routers, {}", kFabrics.name(config.network.topology),
                       network.topology.graph.routers.size(), channels_text(network));
}

NetworkOutline network_outline(const SystemConfig& config) {
    const NetworkSystemConfig& c = config.network;
    const SystemNetwork network = system_network(config, Place("system"));
    const Topology& made = network.topology;
    NetworkOutline facts;
    facts.routers = static_cast<unsigned>(made.graph.routers.size());
    for (unsigned i = 0; i < made.graph.channels.size(); ++i) {
        const double interval = made.graph.channels[i].interval;
        facts.flit_cycles = std::max(facts.flit_cycles, interval / NetworkChannel::kCycle);
    }
    CrossingCycles crossing = crossing_cycles(config, made, requesting_sockets(config));
    if (crossing.none()) { // what crosses is a copy, or the driver's
        std::vector<unsigned> all(config.sockets);
        std::iota(all.begin(), all.end(), 0U);
        crossing = crossing_cycles(config, made, all);
    }
    if (crossing.none()) return facts;
    const auto core_cycles = [&](unsigned cycles) {
        return static_cast<unsigned>(std::lround(cycles * static_cast<double>(config.clock_khz) / c.noc_khz));
    };
    facts.least_cycles = core_cycles(crossing.least);
    facts.most_cycles = core_cycles(crossing.most);
    return facts;
}

} // namespace numavp
