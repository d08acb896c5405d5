#include "platform/machine/machine_network.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "platform/files/locate.h"

namespace numavp {

namespace {
template <class T>
const T& named(const std::vector<std::pair<std::string, T>>& all, const std::string& name, const char* what,
               const Place& place) {
    std::vector<std::string_view> known;
    for (const auto& [n, one] : all) {
        if (n == name) return one;
        known.emplace_back(n);
    }
    throw ConfigError(place, unknown_name(what, name, known));
}

unsigned cycles_of(double ns, unsigned khz, const Place& place) {
    const double cycles = std::round(ns * khz / 1e6);
    if (cycles < 1 || cycles > 1000)
        throw ConfigError(place, fmt::format("{} ns are {:g} cycles of {} kHz; 1 to 1000 cycles are allowed", ns,
                                             ns * khz / 1e6, khz));
    return static_cast<unsigned>(cycles);
}

/// With routers at which there are no nodes.
bool has_hubs(TopologyKind kind) { return kind == TopologyKind::tree || kind == TopologyKind::star; }

void check_counts(const MachineNetwork& n, const MachinePart& ends, const MachinePart& routers, const Place& place) {
    if (has_clusters(n.topology) && routers.count != ends.count * n.routers_per_terminal)
        throw ConfigError(place.at("routers_per_terminal"),
                          fmt::format("{} of {} with {} each make {}, but there are {} of {}", ends.count, n.terminals,
                                      n.routers_per_terminal, ends.count * n.routers_per_terminal, routers.count,
                                      n.routers));
    if (has_clusters(n.topology) && ends.channels != 0 &&
        n.routers_per_terminal * n.channels_per_router > ends.channels)
        throw ConfigError(place.at("channels_per_router"),
                          fmt::format("{} channels to each of {} {} make {}; {} has {}", n.channels_per_router,
                                      n.routers_per_terminal, n.routers, n.channels_per_router * n.routers_per_terminal,
                                      n.terminals, ends.channels));
    if (!has_clusters(n.topology) && !has_hubs(n.topology) && ends.count != routers.count * n.concentration)
        throw ConfigError(place.at("concentration"),
                          fmt::format("{} of {} with {} nodes each have place for {}; there are {} of {}",
                                      routers.count, n.routers, n.concentration, routers.count * n.concentration,
                                      ends.count, n.terminals));
}

TopologySpec spec_of(const MachineFile& m, const MachineNetwork& n, const Place& place) {
    const MachinePart& ends = named(m.parts, n.terminals, "part", place.at("terminals"));
    const MachinePart& routers = named(m.parts, n.routers, "part", place.at("routers"));
    const MachineLink& link = named(m.links, n.link, "link", place.at("link"));
    check_counts(n, ends, routers, place);
    TopologySpec spec;
    spec.topology = n.topology;
    spec.routing = m.routing;
    spec.entry = m.entry;
    spec.processors = ends.count;
    spec.routers_per_processor = n.routers_per_terminal;
    spec.channels_per_router = n.channels_per_router;
    spec.terminals_per_router = routers.terminals;
    spec.dimensions = n.dimensions;
    spec.concentration = n.concentration;
    spec.parallel_channels = n.parallel_channels;
    spec.channel_cycles = cycles_of(link.latency_ns, m.noc_khz, place.at("link"));
    spec.processor_cycles = spec.channel_cycles;
    spec.terminal_cycles = cycles_of(routers.terminal_ns, m.noc_khz, place.at("routers"));
    spec.virtual_channels = link.virtual_channels;
    spec.router_channels = routers.channels;
    return spec;
}

/// Traffic without GPUs begins at terminals, each with a rate of its own: nobody is left who could choose one.
void refuse_adaptive_entry(RoutingKind routing, const Place& place) {
    if (routing == RoutingKind::adaptive_entry)
        throw ConfigError(place, "adaptive_entry is what GPUs do, and a network alone has traffic at each terminal; "
                                 "allowed are 'minimal' and, where the topology has it, 'ugal'");
}
} // namespace

NetworkCoreConfig NetworkSystem::core(unsigned classes, std::uint64_t seed) const {
    NetworkCoreConfig c;
    c.classes = classes;
    c.virtual_channels = link.virtual_channels;
    c.buffer_flits = link.buffer_bytes / link.flit_bytes;
    c.ugal_threshold = machine.ugal_threshold;
    c.seed = seed;
    return c;
}

namespace {
/// A network of nodes has those that the file counts.
void check_made(const NetworkSystem& system, const Place& place) {
    const MachineNetwork& network = system.machine.networks.front();
    if (has_clusters(network.topology)) return;
    const NetworkGraph& graph = system.topology.graph;
    const unsigned nodes = named(system.machine.parts, network.terminals, "part", place.at("terminals")).count;
    const unsigned routers = named(system.machine.parts, network.routers, "part", place.at("routers")).count;
    if (graph.endpoints.size() != nodes)
        throw ConfigError(place.at("dimensions"), fmt::format("they make a network of {} nodes; there are {} of {}",
                                                              graph.endpoints.size(), nodes, network.terminals));
    if (graph.routers.size() != routers && routers * network.concentration != nodes) // hubs may be left out
        throw ConfigError(place.at("dimensions"), fmt::format("they make a network of {} routers; there are {} of {}",
                                                              graph.routers.size(), routers, network.routers));
}
} // namespace

NetworkSystem make_network(const ConfigDocument& document) {
    NetworkSystem system;
    system.machine = read_machine(document);
    const Place place = document.place().at("networks");
    if (system.machine.networks.size() != 1)
        throw ConfigError(place, fmt::format("{} networks; one is what there can be", system.machine.networks.size()));
    const MachineNetwork& network = system.machine.networks.front();
    refuse_adaptive_entry(system.machine.routing, document.place().at("routing"));
    system.spec = spec_of(system.machine, network, place.at(std::size_t{0}));
    system.link = named(system.machine.links, network.link, "link", place.at(std::size_t{0}).at("link"));
    system.kinds = {system.link};
    if (system.link.buffer_bytes < system.link.flit_bytes)
        throw ConfigError(document.place().at("links").at(network.link).at("buffer_bytes"),
                          fmt::format("{} B hold no flit of {} B; a flit or more is allowed", system.link.buffer_bytes,
                                      system.link.flit_bytes));
    const Place parts = document.place().at("parts");
    try {
        system.topology = make_topology(system.spec, place.at(std::size_t{0}), document.place().at("routing"));
    } catch (const ConfigError& refused) { // of a topology's own words the file has other ones
        const auto of_file = [&](const char* word, const Place& there) {
            const std::string named = place.at(std::size_t{0}).at(word);
            const std::string_view what = refused.what();
            if (what.substr(0, named.size()) == named)
                throw ConfigError(there, std::string(what.substr(named.size() + 2)));
        };
        of_file("router_channels", parts.at(network.routers).at("channels"));
        of_file("processors", parts.at(network.terminals).at("count"));
        throw;
    }
    check_made(system, place.at(std::size_t{0}));
    return system;
}

NetworkSystem network_of(const SystemConfig& config, const Place& place) {
    const NetworkSystemConfig& c = config.network;
    if (!has_network(config))
        throw ConfigError(place.at("network").at("topology"),
                          "no network of routers joins the sockets; a topology such as ring is expected, as in --set "
                          "network.topology=ring");
    SystemNetwork joined = system_network(config, place.at("network"), RoutedFor::any);
    NetworkSystem system;
    system.machine.name = config.name;
    system.machine.description = config.description;
    system.machine.noc_khz = c.noc_khz;
    system.machine.routing = c.routing;
    system.machine.ugal_threshold = c.ugal_threshold;
    for (const NetworkLink& kind : joined.links)
        system.kinds.push_back({kind.latency_ns, c.flit_bytes, c.virtual_channels, c.buffer_bytes,
                                kind.energy_pj_per_bit, kind.idle_pj_per_bit});
    system.link = system.kinds.front();
    system.spec = joined.spec;
    system.topology = std::move(joined.topology);
    return system;
}

std::string NetworkSystem::gbps_text() const {
    double least = gbps(), most = 0;
    for (unsigned c = 0; c < topology.graph.channels.size(); ++c) {
        least = std::min(least, gbps(c));
        most = std::max(most, gbps(c));
    }
    if (most == 0) most = least; // a single router
    return most - least < 1e-3 ? fmt::format("{:.5g}", most) : fmt::format("{:.5g} to {:.5g}", least, most);
}

ChannelLoad channel_load(const NetworkSystem& system, unsigned channel, double flits_per_cycle, double lanes) {
    const NetworkChannel& c = system.topology.graph.channels[channel];
    const MachineLink& kind = system.kinds[c.link];
    const double use = std::min(1.0, flits_per_cycle * c.interval / NetworkChannel::kCycle / lanes);
    const double bits_per_ns = system.gbps(channel) * lanes * 8; // pJ/ns are mW
    return {use, use * bits_per_ns * kind.energy_pj_per_bit, (1 - use) * bits_per_ns * kind.idle_pj_per_bit};
}

bool is_network(const std::string& name_or_path) {
    return is_machine(load_document(system_path(name_or_path), system_file).value);
}

NetworkSystem load_network(const std::string& name_or_path, const std::vector<std::string>& assignments) {
    const std::string path = system_path(name_or_path);
    ConfigDocument document = load_document(path, system_file);
    if (!is_machine(document.value)) {
        const SystemConfig config = load_system(name_or_path, assignments);
        refuse_adaptive_entry(config.network.routing, document.place().at("network").at("routing"));
        if (cuts_a_channel(config.network))
            throw ConfigError(document.place().at("network").at("cut"),
                              "packets without records can't travel over pins; none is allowed, here and in "
                              "network.links");
        return network_of(config, document.place());
    }
    for (const std::string& assignment : assignments) set_path(document, assignment);
    NetworkSystem system = make_network(document);
    if (system.machine.name.empty()) system.machine.name = std::filesystem::path(path).stem().string();
    return system;
}

} // namespace numavp
